import { atom } from 'jotai'
import { plural, t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import type { Group, GroupOfAsset } from '../../contract/group.ts'
import { createGroup, deleteGroup, type NewGroup } from '../../contract/groups.ts'
import { LIMITS } from '../../contract/limits.ts'
import { isFilm } from '../../contract/parts.ts'
import { ApiError, call } from '../lib/api.ts'
import { newestFirst } from '../lib/content/order.ts'
import { contentChangedAtom } from './content-fetch.ts'
import { withUndoOfServerAtom } from './outbox.ts'
import { mayEditAtom } from './rights.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { selectAtom, selectedAssetsAtom, selectedPostsAtom } from './selection.ts'
import { coveredPartsAtom, tilesAtom } from './tiles.ts'
import { addToastAtom } from './toasts.ts'

/** The parts of a group that are here, the cover first, then from the oldest on. */
const partsInAtom = atom((get) => (group: GroupOfAsset): Asset[] => {
  const cover = get(tilesAtom).find((asset) => asset.group?.id === group.id)
  // The content is from the newest on.
  return [...(cover ? [cover] : []), ...get(coveredPartsAtom)({ group }).toReversed()]
})

const isCover = ({ id, group }: Asset) => group?.cover === id

/** All parts of an asset's group that are here, the cover first; the asset alone without a group. */
export const partsOfAtom = atom((get) => (asset: Asset): Asset[] => {
  const parts = asset.group ? get(partsInAtom)(asset.group) : []
  return parts.length > 0 ? parts : [asset]
})

/** The film that a photo stands for, if they are a Live Photo. */
export const filmOfAtom = atom(
  (get) =>
    ({ group }: Asset) =>
      group?.kind === 'live' ? get(coveredPartsAtom)({ group }).find(isFilm) : undefined,
)

/** Whether the user may take the group of these parts apart: admins, and the authors of a part. */
export const mayUnstackAtom = atom((get) => (parts: readonly Asset[]) => parts.length > 1 && parts.some(get(mayEditAtom)))

/** What the selection lets the user do: take apart the one group that it is, or make one; or why not. */
export const stackingAtom = atom((get): { group: GroupOfAsset | null; refusal: string | undefined } => {
  const assets = get(selectedAssetsAtom)
  const group = assets[0]?.group
  if (group && get(partsInAtom)(group).length === assets.length && assets.every((asset) => asset.group?.id === group.id))
    return {
      group,
      refusal: get(mayUnstackAtom)(assets) ? undefined : t`These were added by others. An admin or the owner can unstack them.`,
    }
  return { group: null, refusal: refusalOf(assets, get(selectedPostsAtom).length, get(mayEditAtom)) }
})

function refusalOf(assets: readonly Asset[], posts: number, mayEdit: (asset: Asset) => boolean): string | undefined {
  if (posts > 0) return t`Posts cannot be stacked`
  if (assets.length < 2 || assets.length > LIMITS.partsPerGroup)
    return t`${plural(LIMITS.partsPerGroup, { other: 'Select 2 to # photos to stack them' })}`
  return assets.every(mayEdit) ? undefined : t`Some of these were added by others. An admin or the owner can stack them.`
}

/** Shows the selected assets as one item: the newest on top, or the cover that a stack among them has. */
export const stackSelectedAtom = atom(null, async (get, set) => {
  const assets = get(selectedAssetsAtom).toSorted(newestFirst)
  const cover = assets.find(isCover) ?? assets[0]
  const collectionId = get(selectedCollectionIdAtom)
  if (!cover || !collectionId) return
  const assetIds = assets.map(({ id }) => id)
  const before = get(bodiesAtom)(assets)
  const group = await set(makeGroupsAtom, collectionId, [{ assetIds, cover: cover.id }])
  set(selectAtom, assetIds, false)
  const undo = async () => {
    if (group) await set(dissolveAtom, collectionId, group.id)
    await set(makeGroupsAtom, collectionId, before)
  }
  set(withUndoOfServerAtom, {
    id: `stack-${group?.id}`,
    title: t`${plural(assetIds.length, { one: '# item stacked', other: '# items stacked' })}`,
    icon: 'stacks',
    undo,
  })
})

/** Shows the parts of a group on their own again. Who may not stack all of them again has no Undo. */
export const unstackAtom = atom(null, async (get, set, group: GroupOfAsset) => {
  const collectionId = get(selectedCollectionIdAtom)
  if (!collectionId) return
  const parts = get(partsInAtom)(group)
  const before = get(bodiesAtom)(parts)
  const mayStack = group.kind === 'live' || parts.every(get(mayEditAtom))
  await set(dissolveAtom, collectionId, group.id)
  const toast = { id: `stack-${group.id}`, title: t`Shown as single items again`, icon: 'stacks' } as const
  if (mayStack) set(withUndoOfServerAtom, { ...toast, undo: () => set(makeGroupsAtom, collectionId, before) })
  else set(addToastAtom, toast)
})

/** The calls that make the groups of these assets again. */
const bodiesAtom = atom((get) => (assets: readonly Asset[]): NewGroup[] => {
  const groups = new Map(assets.flatMap(({ group }) => (group ? [[group.id, group] as const] : [])))
  return [...groups.values()].flatMap((group) => {
    const parts = get(partsInAtom)(group)
    return parts[0] && parts.length > 1 ? [{ assetIds: parts.map((part) => part.id), cover: parts[0].id }] : []
  })
})

/** Returns the last one. */
const makeGroupsAtom = atom(null, async (_get, set, collectionId: string, bodies: readonly NewGroup[]): Promise<Group | null> => {
  let made: Group | null = null
  for (const body of bodies) made = (await call(createGroup, { params: { id: collectionId }, body })).group
  await set(contentChangedAtom, collectionId)
  return made
})

const dissolveAtom = atom(null, async (_get, set, collectionId: string, groupId: string) => {
  await call(deleteGroup, { params: { id: collectionId, groupId } }).catch((error: unknown) => {
    // An earlier try, or somebody else, has taken it apart.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  })
  await set(contentChangedAtom, collectionId)
})
