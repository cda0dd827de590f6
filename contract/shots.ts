import type { DatePrecision } from './dates.ts'
import type { Group } from './group.ts'
import { LIMITS } from './limits.ts'
import { isFilm, isRaw, type Part, shotName } from './parts.ts'

/** The body of a call that makes a group. */
export interface Parts {
  assetIds: string[]
  cover: string
}

/** What of an asset says of which shot it is. */
export interface Shot extends Part {
  id: string
  user_id: string
  date_precision: DatePrecision
  group?: Pick<Group, 'id' | 'cover' | 'assetIds'> | null | undefined
}

/** Milliseconds between the files of one shot: some cameras date the film by its end. */
export const SAME_SHOT = 2_000

const isPhoto = ({ type, name }: Shot) => type.startsWith('image/') && !isRaw({ name })

/**
 * The assets to show as one item with one that has just arrived, itself among them: a photo and a film that one camera has paired, whoever added them;
 * otherwise the author's own photo, film and raw file of one name and time. Null if nothing is to be grouped.
 */
export function partsWith(asset: Shot, others: readonly Shot[]): Parts | null {
  const pair = asset.content_id ? pairOf(asset, others) : null
  if (pair) return pair
  if (asset.group) return null
  const name = shotName(asset.name)
  const shot = [asset, ...others.filter((other) => other.id !== asset.id && shotName(other.name) === name && isSameShot(asset, other))]
  // More are no longer clear: cameras begin their numbers anew.
  if (shot.filter(isFilm).length > 1 || shot.filter(isRaw).length > 1 || shot.filter(isPhoto).length !== 1) return null
  const cover = shot.find(isPhoto)
  const foreign = shot.flatMap(({ group }) => group?.assetIds ?? []).some((id) => !shot.some((part) => part.id === id))
  return shot.length < 2 || !cover || foreign ? null : { assetIds: shot.map(({ id }) => id), cover: cover.id }
}

function pairOf(asset: Shot, others: readonly Shot[]): Parts | null {
  const film = isFilm(asset)
  const fits = others.filter(
    (other) => other.content_id === asset.content_id && other.id !== asset.id && !other.group && (film ? isPhoto(other) : isFilm(other)),
  )
  if (asset.group || (!film && !isPhoto(asset))) return null
  const partner = fits.find(({ user_id }) => user_id === asset.user_id) ?? fits[0]
  return partner ? { assetIds: [asset.id, partner.id], cover: film ? partner.id : asset.id } : null
}

function isSameShot(one: Shot, other: Shot): boolean {
  if (one.user_id !== other.user_id || one.date === null || other.date === null) return false
  if (one.content_id && other.content_id && one.content_id !== other.content_id) return false
  if (one.date_precision !== 'minute' || other.date_precision !== 'minute') return false
  return Math.abs(Date.parse(one.date) - Date.parse(other.date)) <= SAME_SHOT
}

/** The bursts of the arrived assets: photos of one author that say themselves that they are of one burst. */
export function burstsOf(arrived: readonly Shot[], others: readonly Shot[]): Parts[] {
  const ids = new Set(arrived.filter(isPhoto).flatMap(({ content_id }) => content_id ?? []))
  return [...ids].flatMap((id): Parts[] => {
    const all = [...new Map([...others, ...arrived].map((asset) => [asset.id, asset])).values()]
    const author = arrived.find(({ content_id }) => content_id === id)?.user_id
    const burst = all.filter((asset) => asset.content_id === id && isPhoto(asset) && asset.user_id === author)
    const cover = burst.toSorted((a, b) => (a.date ?? '').localeCompare(b.date ?? '') || a.name.localeCompare(b.name))[0]
    const known = burst.every(({ group }) => group && group.id === burst[0]?.group?.id)
    if (!cover || known || burst.length < 2 || burst.length > LIMITS.partsPerGroup) return []
    return [{ assetIds: burst.map((part) => part.id), cover: burst[0]?.group?.cover ?? cover.id }]
  })
}
