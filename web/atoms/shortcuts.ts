import { storedAtom } from './stored-atom.ts'

/** Whether single-letter shortcuts are on. Speech input and accidental key presses trigger them, so they can be turned off (WCAG 2.1.4). */
export const singleKeysAtom = storedAtom('single-keys', 'off', false, true)
