import type { Asset } from '../../../contract/assets.ts'
import type { BulkDate, Shift } from '../../../contract/bulk.ts'
import { timeOfId } from '../../../contract/ids.ts'
import type { Post } from '../../../contract/posts.ts'
import { PostAsset } from '../../../contract/posts.ts'
import { shiftMoment } from '../dates/shift.ts'
import type { Field, fieldsOf } from './merge.ts'
import type { Action, Target } from './types.ts'

type Fields = ReturnType<typeof fieldsOf>

/** A row after an edit. `pictures` looks up an asset by id. */
export function edited<T extends Post | Asset>(row: T, patch: Fields, pictures: (id: string) => Asset | undefined): T {
  const next: Record<string, unknown> = { ...row }
  for (const [name, column] of COLUMNS) if (patch[name] !== undefined) next[column] = patch[name]
  if (patch.date === null || patch.datePrecision === 'unknown') Object.assign(next, { date: null, date_precision: 'unknown' })
  else if (patch.date && !patch.datePrecision) next.date_precision = 'minute'
  if (patch.placeHidden) next.place = { seen: 'exact', others: 'nothing', hidden: true }
  // What collections and home zones hide stays so. Behind an override they cannot be told: the mark is gone until the server answers.
  else if (patch.placeHidden === false && row.place?.hidden !== false) next.place = null
  if (patch.existingAssetIds && 'assets' in row) next.assets = shownPictures(patch.existingAssetIds, pictures, row.assets)
  // Only columns of the row were changed, and with values of the contract.
  return next as T
}

const COLUMNS: [Field, string][] = [
  ['type', 'type'],
  ['kind', 'kind'],
  ['title', 'title'],
  ['body', 'body'],
  ['name', 'name'],
  ['alt', 'alt'],
  ['date', 'date'],
  ['dateZone', 'date_zone'],
  ['datePrecision', 'date_precision'],
  ['endsAt', 'ends_at'],
  ['location', 'location'],
  ['peopleIds', 'people'],
]

/** The row of a new post before the server has created it. */
export function written(action: Extract<Action, { kind: 'create' }>, userId: string, pictures: (id: string) => Asset | undefined): Post {
  const { post, author } = action
  // Creation time from its id: a reload must not change it.
  const at = new Date(timeOfId(post.id)).toISOString()
  const blank: Post = {
    id: post.id,
    user_id: userId,
    user_name: author,
    type: post.type,
    kind: null,
    title: post.title,
    body: '',
    original_author: post.originalAuthor ?? null,
    date: null,
    date_zone: null,
    date_precision: 'unknown',
    ends_at: null,
    location: null,
    assets: [],
    people: [],
    collections: (post.collectionIds ?? []).map((collection_id) => ({ collection_id, user_id: userId, added_at: at })),
    version: 0,
    created_at: at,
    updated_at: at,
  }
  return edited(blank, post, pictures)
}

function shownPictures(ids: readonly string[], pictures: (id: string) => Asset | undefined, existing: Post['assets']): Post['assets'] {
  return ids.flatMap((id) => {
    const asset = existing.find((other) => other.id === id) ?? pictures(id)
    return asset ? [PostAsset.parse(asset)] : []
  })
}

/** Dates of a row before and after a bulk date change. */
export function targetOf(
  row: Post | Asset,
  change: { date?: string | null | undefined; shift?: Shift | undefined; dateZone?: string | null | undefined },
): Target {
  const endsAt = 'ends_at' in row ? row.ends_at : null
  const { date, shift } = change
  const zone = change.dateZone ?? row.date_zone ?? 'UTC'
  if (shift) {
    const to = (moment: string | null) => (row.date === null ? moment : shifted(moment, zone, shift))
    return { from: row.date, date: to(row.date), endsAt: to(endsAt) }
  }
  if (!date || !endsAt) return { from: row.date, date: date ?? null, endsAt }
  if (!row.date) return { from: null, date, endsAt: Date.parse(endsAt) < Date.parse(date) ? date : endsAt }
  const lasting = Date.parse(endsAt) - Date.parse(row.date)
  return { from: row.date, date, endsAt: new Date(Date.parse(date) + lasting).toISOString() }
}

/** A row after a bulk date change, with the dates of `target`. */
export function dated<T extends Post | Asset>(row: T, to: Omit<BulkDate, 'ids'>, target: Target): T {
  const precision = to.datePrecision ?? (to.shift ? row.date_precision : 'minute')
  const date = precision === 'unknown' ? null : target.date
  return {
    ...row,
    date,
    date_zone: to.dateZone === undefined ? row.date_zone : to.dateZone,
    date_precision: date === null ? 'unknown' : precision,
    ...('ends_at' in row ? { ends_at: target.endsAt } : {}),
  }
}

/** Shifts by days on the wall calendar, then by elapsed minutes. */
function shifted(moment: string | null, zone: string, { days = 0, minutes = 0 }: Shift): string | null {
  if (moment === null) return null
  // Without days, a time that clocks show twice stays the one it is.
  const moved = Date.parse(days === 0 ? moment : shiftMoment(moment, zone, days))
  return Number.isNaN(moved) ? moment : new Date(moved + minutes * 60_000).toISOString()
}
