import { atom } from 'jotai'
import { NavigationRefused, navigateTo } from '../lib/navigate.ts'
import { addErrorToastAtom } from './toasts.ts'

/** Goes to an address that somebody wrote. One that is refused is told of, and the page stays as it is. */
export const goToAtom = atom(null, (_get, set, ...[to, ways]: Parameters<typeof navigateTo>) => {
  try {
    navigateTo(to, ways)
  } catch (error) {
    if (!(error instanceof NavigationRefused)) throw error
    set(addErrorToastAtom, 'This address was not opened', error.message)
  }
})
