import { atom } from 'jotai'
import { sessionUserIdAtom } from './session.ts'

/** State that belongs to the signed-in user: it starts again with `initial` for every other user. */
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
