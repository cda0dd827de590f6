import { atom } from 'jotai'
import { t } from '#say'
import * as contract from '../../contract/collections.ts'
import type { Theme } from '../../contract/themes.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { changeListAtom, collectionsAtom, dropCollectionAtom, recorded, replaceCollectionAtom } from './collections.ts'
import { selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'

// Changes of whole collections, which the first screen does not need.

export const createCollectionAtom = atom(null, async (_get, set, fields: contract.NewCollection) => {
  const { collection } = await recorded(named(t`Failed to create collection`, call(contract.createCollection, { body: fields })))
  set(changeListAtom, (all) => [...all.filter(({ id }) => id !== collection.id), collection])
  return collection
})

export const updateCollectionAtom = atom(null, async (_get, set, id: string, edit: contract.CollectionEdit) => {
  const { collection } = await recorded(
    named(t`Failed to update collection`, call(contract.updateCollection, { params: { id }, body: edit })),
  )
  set(replaceCollectionAtom, collection)
})

export const updateCollectionThemeAtom = atom(null, async (get, set, id: string, theme: Theme) => {
  const done = call(contract.putCollectionTheme, { params: { id }, body: theme })
  const answer = await recorded(named(t`Failed to update collection theme`, done, true))
  const existing = get(collectionsAtom)?.find((collection) => collection.id === id)
  if (existing) set(replaceCollectionAtom, { ...existing, theme: answer.theme })
})

export const deleteCollectionAtom = atom(null, async (get, set, id: string) => {
  await recorded(named(t`Failed to delete collection`, call(contract.deleteCollection, { params: { id } })))
  set(dropCollectionAtom, id)
  if (get(selectedCollectionIdAtom) === id) set(selectCollectionAtom, null)
})

export const transferCollectionAtom = atom(null, async (_get, set, id: string, userId: string) => {
  const answer = call(contract.transferCollection, { params: { id }, body: { userId } })
  const { collection } = await recorded(named(t`Failed to transfer collection`, answer))
  set(replaceCollectionAtom, collection)
})
