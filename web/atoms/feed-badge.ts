import { atom } from 'jotai'
import { sessionUserIdAtom } from './session.ts'

const stateAtom = atom<{ userId: string | null; count: number }>({ userId: null, count: 0 })

/** How much of the feed is new to this person. Of its own, because the first screen shows no more than this of it. */
export const unseenAtom = atom(
  (get) => {
    const { userId, count } = get(stateAtom)
    return userId === get(sessionUserIdAtom) ? count : 0
  },
  (get, set, count: number) => set(stateAtom, { userId: get(sessionUserIdAtom), count }),
)
