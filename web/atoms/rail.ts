import { RAIL } from '../lib/storage.ts'
import { storedAtom } from './stored-atom.ts'

/** Whether the rail shows only icons. */
export const railNarrowAtom = storedAtom(RAIL, 'narrow', true, false)
