import { type Asset, type AssetEdit, getAsset, replaceAsset } from '../../../contract/assets.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { ApiError, call } from '../api.ts'
import { withOverrides } from './overrides.ts'
import type { Overrides, PreparedMeta } from './types.ts'

/** How often it is tried again while others edit the same asset. */
const REPEATS = 3

/**
 * Completes an asset that was here before with what is known about the same bytes. Nothing that it has is changed. `filled` is false if it
 * lacks nothing, or the user may not edit it.
 */
export async function fillIn(
  asset: Asset,
  meta: PreparedMeta,
  given: Overrides,
  signal: AbortSignal,
): Promise<{ asset: Asset; filled: boolean }> {
  const params = { id: asset.id }
  let row = asset
  for (let left = REPEATS; ; left--) {
    const body = editOf(row, withOverrides(meta, given), given.peopleIds)
    if (!body) return { asset: row, filled: false }
    try {
      const answer = await call(replaceAsset, { params, headers: { 'if-match': String(row.version) }, body, signal })
      return { asset: answer.asset, filled: true }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'forbidden' || error.code === 'not_found') return { asset: row, filled: false }
      if (error.code !== 'conflict' || left === 0) throw error
      row = (await call(getAsset, { params, signal })).asset
    }
  }
}

type Known = Pick<Overrides, 'date' | 'dateZone' | 'datePrecision' | 'location'> & { alt?: string | null }

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
