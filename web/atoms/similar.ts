import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import { rowsById } from '../lib/content/merge.ts'
import { differentSets, writeDifferentSets } from '../lib/similar/different.ts'
import { collectionsAtom } from './collections.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

const stateAtom = atom<string[][] | null>(null)

/** Sets of photos that were called different on this device, as ids. */
export const differentSetsAtom = atom((get) => get(stateAtom) ?? differentSets())

const writeSetsAtom = atom(null, (_get, set, sets: string[][]) => {
  writeDifferentSets(sets)
  set(stateAtom, sets)
})

export const callDifferentAtom = atom(null, (_get, set, ids: string[]) => set(writeSetsAtom, [...differentSets(), ids]))

/** Takes back what was called different in one go. */
export const takeBackDifferentAtom = atom(null, (_get, set, ids: readonly string[]) =>
  set(
    writeSetsAtom,
    differentSets().filter((other) => other.join() !== ids.join()),
  ),
)

const isHereAtom = atom((get) => {
  const rows = rowsById(get(assetsAtom))
  return (ids: readonly string[]) => ids.filter((id) => rows.has(id)).length > 1
})

/** Whether photos of the open collection are not offered because they were called different. */
export const someDifferentAtom = atom((get) => get(differentSetsAtom).some(get(isHereAtom)))

export const offerDifferentAtom = atom(null, (get, set) => {
  const isHere = get(isHereAtom)
  set(
    writeSetsAtom,
    differentSets().filter((ids) => !isHere(ids)),
  )
})

/** The posts of this collection that show an asset. */
export const postsShowingAtom = atom((get) => {
  const posts = new Map<string, Pick<Post, 'id' | 'title'>[]>()
  for (const { assets, id, title } of get(postsAtom))
    for (const asset of assets) posts.set(asset.id, [...(posts.get(asset.id) ?? []), { id, title }])
  return (assetId: string): readonly Pick<Post, 'id' | 'title'>[] => posts.get(assetId) ?? []
})

/** The names of the user's other collections that have an asset. */
export const alsoInAtom = atom((get) => {
  const open = get(selectedCollectionIdAtom)
  const others = (get(collectionsAtom) ?? []).filter(({ id }) => id !== open)
  return ({ collections }: Asset): string[] => {
    const ids = new Set(collections.map((link) => link.collection_id))
    return others.flatMap(({ id, name }) => (ids.has(id) ? name : []))
  }
})
