import { atom } from 'jotai'
import { selectedCollectionAtom } from './collections.ts'
import { contentLoadingAtom } from './content.ts'
import { insideCollectionAtom } from './theme.ts'

/** Whether what a page begins with is there: in a collection, the collection and the first of what is in it. */
export const firstSightAtom = atom(
  (get) => !get(insideCollectionAtom) || (get(selectedCollectionAtom) !== undefined && !get(contentLoadingAtom)),
)
