import { atom } from 'jotai'
import { sessionUserIdAtom } from './session.ts'

const stateAtom = atom<{ userId: string | null; count: number } | null>(null)

/** Whether the server has answered; until then `unseenAtom` is 0. */
export const unseenKnownAtom = atom((get) => get(stateAtom)?.userId === get(sessionUserIdAtom))

/** How many feed groups are new to the user. In its own file, because the first screen needs nothing else of the feed. */
export const unseenAtom = atom(
  (get) => {
    const state = get(stateAtom)
    return state?.userId === get(sessionUserIdAtom) ? state.count : 0
  },
  (get, set, count: number) => set(stateAtom, { userId: get(sessionUserIdAtom), count }),
)
