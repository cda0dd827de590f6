import { atom } from 'jotai'

/** The panel beside the photo; it stays open from one photo to the next. */
export const lightboxPanelAtom = atom<'info' | 'comments' | null>(null)
