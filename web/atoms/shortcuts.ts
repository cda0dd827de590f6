import { atom } from 'jotai'
import { readLocal, writeLocal } from '../lib/storage.ts'

const KEY = 'single-keys'
const stateAtom = atom(readLocal(KEY) !== 'off')

/** Whether single-letter shortcuts are on. Speech input and accidental key presses trigger them, so they can be turned off (WCAG 2.1.4). */
export const singleKeysAtom = atom(
  (get) => get(stateAtom),
  (_get, set, on: boolean) => {
    set(stateAtom, on)
    writeLocal(KEY, on ? null : 'off')
  },
)
