import { atom } from 'jotai'

/** Whether the information panel is open; it stays so from one photo to the next. */
export const lightboxInfoAtom = atom(false)
