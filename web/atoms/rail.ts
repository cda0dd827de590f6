import { atom } from 'jotai'
import { RAIL, readLocal, writeLocal } from '../lib/storage.ts'

const stateAtom = atom(readLocal(RAIL) === 'narrow')

/** Whether the rail shows only icons; stored on this device. */
export const railNarrowAtom = atom(
  (get) => get(stateAtom),
  (_get, set, narrow: boolean) => {
    set(stateAtom, narrow)
    writeLocal(RAIL, narrow ? 'narrow' : null)
  },
)
