import { type Asset, type AssetEdit, getAsset, replaceAsset } from '../../../contract/assets.ts'
import { getCollection } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ApiError, call } from '../api.ts'
import { assetFields } from './overrides.ts'
import type { UploadItem } from './types.ts'

/** How often it is tried again while renditions are added to the same asset. */
const REPEATS = 3

/**
 * Completes an asset that was here before with what is known about the same bytes. Nothing that it has is changed. What somebody removed, or
 * others would see who do not see the target, stays away: so only people, who belong to the target, are added if the asset was edited since its
 * upload, or is in a collection other than the item's that has other members. `filled` is false if nothing but people is
 * added.
 */
export async function fillIn(
  asset: Asset,
  { collectionId, meta, given, completed }: Pick<UploadItem, 'collectionId' | 'meta' | 'given' | 'completed'>,
  signal: AbortSignal,
): Promise<{ asset: Asset; filled: boolean }> {
  if (!meta || !given) return { asset, filled: false }
  const params = { id: asset.id }
  const known = await assetFields(meta, given)
  let row = asset
  for (let left = REPEATS; ; left--) {
    // An edit by this upload itself, which has learned more meanwhile, is none of somebody.
    const edited = wasEdited(row) && !(completed && row === asset)
    try {
      const whole = edited ? null : editOf(row, known, given.peopleIds)
      const filled = whole !== null && (await onlyFor(row, collectionId, signal))
      const body = filled ? whole : editOf(row, NOTHING, given.peopleIds)
      if (!body) return { asset: row, filled }
      const answer = await call(replaceAsset, { params, headers: { 'if-match': String(row.version) }, body, signal })
      return { asset: answer.asset, filled }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'forbidden' || error.code === 'not_found') return { asset: row, filled: false }
      if (error.code !== 'conflict' || left === 0) throw error
      row = (await call(getAsset, { params, signal })).asset
    }
  }
}

/**
 * Whether the last change of an asset was one of its fields: its version grows with every change, and the file's only with file and renditions.
 * A rendition that is made after an edit hides it, which takes an asset that was edited in the minutes before the server has made its pictures.
 */
const wasEdited = ({ version, file_version = 1 }: Asset) => version !== file_version

/** Whether nobody but the user sees the asset outside the collection. Throws if the user has left one of the others meanwhile. */
async function onlyFor({ collections }: Asset, collectionId: string, signal: AbortSignal): Promise<boolean> {
  for (const { collection_id: id } of collections)
    if (id !== collectionId && (await call(getCollection, { params: { id }, signal })).collection.member_count > 1) return false
  return true
}

type Known = Pick<Awaited<ReturnType<typeof assetFields>>, 'date' | 'dateZone' | 'datePrecision' | 'location' | 'alt'>
const NOTHING: Known = { date: null, dateZone: null, datePrecision: 'unknown', location: null, alt: null }

/** All editable fields, with missing ones filled in; null if nothing would change. */
function editOf(asset: Asset, known: Known, peopleIds: readonly string[]): AssetEdit | null {
  const people = [...new Set([...asset.people, ...peopleIds])].slice(0, LIMITS.peoplePerItem)
  const gains =
    (asset.date === null && known.date !== null) ||
    (asset.location === null && known.location !== null) ||
    (!asset.alt && !!known.alt) ||
    people.length > asset.people.length
  if (!gains) return null
  const own = { date: asset.date, dateZone: asset.date_zone, datePrecision: asset.date_precision }
  const { date, dateZone, datePrecision } = asset.date === null && known.date !== null ? known : own
  return {
    ...{ name: asset.name, date, dateZone, datePrecision, peopleIds: people },
    location: asset.location ?? known.location,
    alt: asset.alt || (known.alt ?? null),
  }
}
