import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Group } from '../../contract/group.ts'
import { createGroup, deleteGroup } from '../../contract/groups.ts'
import { LIMITS } from '../../contract/limits.ts'
import { isFilm } from '../../contract/parts.ts'
import type { Parts } from '../../contract/shots.ts'
import { call } from '../lib/api.ts'
import { newestFirst } from '../lib/content/order.ts'
import { assetsAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'
import { mayEditAtom } from './rights.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { selectAtom, selectedAssetsAtom, selectedPostsAtom } from './selection.ts'
import { addToastAtom } from './toasts.ts'

/** All parts of an asset's group that are here, the cover first; the asset alone without a group. */
export const partsOfAtom = atom((get) => {
  const assets = get(assetsAtom)
  return ({ group, ...asset }: Asset): Asset[] => {
    if (!group) return [{ ...asset, group }]
    return group.assetIds.flatMap((id) => assets.find((part) => part.id === id) ?? [])
  }
})

/** The film that a photo stands for, if they are a Live Photo. */
export const filmOfAtom = atom((get) => {
  const films = new Map(
    get(assetsAtom).flatMap((asset) => (asset.group?.kind === 'live' && isFilm(asset) ? [[asset.group.id, asset]] : [])),
  )
  return ({ group }: Pick<Asset, 'group'>): Asset | undefined => (group ? films.get(group.id) : undefined)
})

/** Whether the user may take the group of these parts apart: admins, and the authors of a part. */
export const mayUnstackAtom = atom((get) => (parts: readonly Asset[]) => parts.length > 1 && parts.some(get(mayEditAtom)))

/** What the selection lets the user do: take apart the one group that it is, or make one; or why not. */
export const stackingAtom = atom((get): { group: Group | null; refusal: string | undefined } => {
  const assets = get(selectedAssetsAtom)
  const group = assets[0]?.group
  if (group && group.assetIds.length === assets.length && assets.every((asset) => asset.group?.id === group.id))
    return {
      group,
      refusal: get(mayUnstackAtom)(assets) ? undefined : 'These were added by others. An admin or the owner can unstack them.',
    }
  return { group: null, refusal: refusalOf(assets, get(selectedPostsAtom).length, get(mayEditAtom)) }
})

function refusalOf(assets: readonly Asset[], posts: number, mayEdit: (asset: Asset) => boolean): string | undefined {
  if (posts > 0) return 'Posts cannot be stacked'
  if (assets.length < 2 || assets.length > LIMITS.partsPerGroup) return `Select 2 to ${LIMITS.partsPerGroup} photos to stack them`
  return assets.every(mayEdit) ? undefined : 'Some of these were added by others. An admin or the owner can stack them.'
}

/** Shows the selected assets as one item: the newest on top, or the cover that a stack among them has. */
export const stackSelectedAtom = atom(null, async (get, set) => {
  const assets = get(selectedAssetsAtom).toSorted(newestFirst)
  const cover = assets.find(({ id, group }) => group?.cover === id) ?? assets[0]
  const collectionId = get(selectedCollectionIdAtom)
  if (!cover || !collectionId) return
  const assetIds = assets.map(({ id }) => id)
  const group = await set(makeGroupAtom, collectionId, { assetIds, cover: cover.id })
  set(selectAtom, assetIds, false)
  const undo = { label: 'Undo', onClick: () => void set(unstackAtom, group).catch(() => undefined) }
  set(addToastAtom, { id: `stack-${group.id}`, title: `${assetIds.length} items stacked`, icon: 'stacks', actions: [undo] })
})

const makeGroupAtom = atom(null, async (_get, set, collectionId: string, body: Parts): Promise<Group> => {
  const { group } = await call(createGroup, { params: { id: collectionId }, body })
  await set(contentChangedAtom, collectionId)
  return group
})

/** Shows the parts of a group on their own again. */
export const unstackAtom = atom(null, async (get, set, { id, cover, assetIds }: Group) => {
  const collectionId = get(selectedCollectionIdAtom)
  if (!collectionId) return
  await call(deleteGroup, { params: { id: collectionId, groupId: id } })
  await set(contentChangedAtom, collectionId)
  const again = () => void set(makeGroupAtom, collectionId, { assetIds, cover }).catch(() => undefined)
  set(addToastAtom, {
    id: `stack-${id}`,
    title: 'Shown as single items again',
    icon: 'stacks',
    actions: [{ label: 'Undo', onClick: again }],
  })
})
