import { atom } from 'jotai'
import { t } from '#say'
import { NavigationRefused, navigateTo } from '../lib/navigate.ts'
import { addErrorToastAtom } from './toasts.ts'

/** Opens an address entered by the user. If it is refused, shows an error and stays on the page. */
export const goToAtom = atom(null, (_get, set, ...[to, ways]: Parameters<typeof navigateTo>) => {
  try {
    navigateTo(to, ways)
  } catch (error) {
    if (!(error instanceof NavigationRefused)) throw error
    set(addErrorToastAtom, t`This address was not opened`, error.message)
  }
})
