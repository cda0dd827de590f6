import { atom } from 'jotai'
import { sessionUserIdAtom } from './session.ts'

/** State of whoever is signed in: anybody else begins with `initial`, whatever was held for the last one. */
export function personalAtom<T>(initial: T) {
  const stateAtom = atom<{ userId: string | null; value: T }>({ userId: null, value: initial })
  const ownAtom = atom((get): T => {
    const { userId, value } = get(stateAtom)
    return userId === get(sessionUserIdAtom) ? value : initial
  })
  return atom(
    (get) => get(ownAtom),
    (get, set, next: (before: T) => T) => set(stateAtom, { userId: get(sessionUserIdAtom), value: next(get(ownAtom)) }),
  )
}
