import { atom } from 'jotai'
import { sessionUserIdAtom } from './session.ts'

const stateAtom = atom<{ userId: string | null; count: number } | null>(null)

/** Whether the server has said it yet; until then `unseenAtom` is 0. */
export const unseenKnownAtom = atom((get) => get(stateAtom)?.userId === get(sessionUserIdAtom))

/** How much of the feed is new to this person. Of its own, because the first screen shows no more than this of it. */
export const unseenAtom = atom(
  (get) => {
    const state = get(stateAtom)
    return state?.userId === get(sessionUserIdAtom) ? state.count : 0
  },
  (get, set, count: number) => set(stateAtom, { userId: get(sessionUserIdAtom), count }),
)
