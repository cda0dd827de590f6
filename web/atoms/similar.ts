import { atom } from 'jotai'
import { addDifferentSet, differentSets } from '../lib/similar/different.ts'
import { postsAtom } from './content.ts'

const stateAtom = atom<string[][] | null>(null)

/** Sets of photos that were called different on this device, as ids. */
export const differentSetsAtom = atom((get) => get(stateAtom) ?? differentSets())

export const callDifferentAtom = atom(null, (_get, set, ids: readonly string[]) => {
  addDifferentSet(ids)
  set(stateAtom, differentSets())
})

/** The titles of the posts of this collection that show an asset. */
export const postTitlesAtom = atom((get) => {
  const titles = new Map<string, string[]>()
  for (const { assets, title } of get(postsAtom)) for (const { id } of assets) titles.set(id, [...(titles.get(id) ?? []), title])
  return (id: string): readonly string[] => titles.get(id) ?? []
})
