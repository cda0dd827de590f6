import { atom } from 'jotai'

/** Id of the item that is about to be opened at its comments. */
export const atCommentsAtom = atom<string | null>(null)
