import { atom } from 'jotai'
import { selectedCollectionAtom } from './collections.ts'
import { contentLoadingAtom } from './content.ts'

/** Whether what a view of a collection begins with is there: the collection, and the first of what is in it. */
export const firstSightAtom = atom((get) => get(selectedCollectionAtom) !== undefined && !get(contentLoadingAtom))
