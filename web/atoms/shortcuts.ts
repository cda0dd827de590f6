import { atom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

const KEY = 'single-keys'
const stateAtom = atom(readLocal(KEY) !== 'off')

/** Whether a letter alone does something: who speaks to the computer, or presses keys by accident, can turn it off (WCAG 2.1.4). */
export const singleKeysAtom = atom(
  (get) => get(stateAtom),
  (_get, set, on: boolean) => {
    set(stateAtom, on)
    writeLocal(KEY, on ? null : 'off')
  },
)
