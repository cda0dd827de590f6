import { atom } from 'jotai'

/** Whether the information panel is open; it stays as the person left it from one picture to the next. */
export const lightboxInfoAtom = atom(false)
