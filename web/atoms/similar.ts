import { atom } from 'jotai'
import { rowsById } from '../lib/content/merge.ts'
import { differentSets, writeDifferentSets } from '../lib/similar/different.ts'
import { assetsAtom, postsAtom } from './content.ts'

const stateAtom = atom<string[][] | null>(null)

/** Sets of photos that were called different on this device, as ids. */
export const differentSetsAtom = atom((get) => get(stateAtom) ?? differentSets())

const writeSetsAtom = atom(null, (_get, set, sets: string[][]) => {
  writeDifferentSets(sets)
  set(stateAtom, sets)
})

export const callDifferentAtom = atom(null, (_get, set, ids: string[]) => set(writeSetsAtom, [...differentSets(), ids]))

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

/** The titles of the posts of this collection that show an asset. */
export const postTitlesAtom = atom((get) => {
  const titles = new Map<string, string[]>()
  for (const { assets, title } of get(postsAtom)) for (const { id } of assets) titles.set(id, [...(titles.get(id) ?? []), title])
  return (id: string): readonly string[] => titles.get(id) ?? []
})
