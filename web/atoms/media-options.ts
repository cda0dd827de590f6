import { atom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

export type Arrangement = 'days' | 'masonry'

const KEY = 'media-arrangement'
const stateAtom = atom<Arrangement | null>(null)

/** Layout of the media view; stored on this device. */
export const mediaArrangementAtom = atom(
  (get): Arrangement => get(stateAtom) ?? (readLocal(KEY) === 'masonry' ? 'masonry' : 'days'),
  (_get, set, arrangement: Arrangement) => {
    set(stateAtom, arrangement)
    writeLocal(KEY, arrangement)
  },
)
