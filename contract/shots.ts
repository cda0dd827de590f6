import type { DatePrecision } from './dates.ts'
import type { NewGroup } from './groups.ts'
import { LIMITS } from './limits.ts'
import { isBurstId, isFilm, isRaw, type Part, shotName } from './parts.ts'

/** The fields of an asset that tell its shot. */
export interface Shot extends Part {
  id: string
  user_id: string
  date_precision: DatePrecision
  /** `parts`: how many visible ones it has. */
  group?: { id: string; parts: number } | null | undefined
}

/** Milliseconds between the files of one shot: some cameras date the film by its end. */
export const SAME_SHOT = 2_000

const isPhoto = ({ type, name }: Shot) => type.startsWith('image/') && !isRaw({ name })
/** How Apple's programs name a photo, and its film, that was edited beside its original. */
const EDITED = /^img_e\d/

/**
 * The assets to show as one item with this one, itself among them, or null: a photo, the film with the identifier that the camera wrote into both, whoever added
 * it, and the author's own film and raw file of the same name and time; or a burst.
 */
export function partsWith(asset: Shot, others: readonly Shot[]): NewGroup | null {
  if (asset.group && asset.group.parts > 1) return null
  return shotOf(asset, others) ?? burstOf(asset, others)
}

function shotOf(asset: Shot, others: readonly Shot[]): NewGroup | null {
  const own = [asset, ...others.filter((other) => other.id !== asset.id && isSameShot(asset, other))]
  const partner = partnerOf(asset, others)
  // Of two photos of one name it is not clear whose film it is: cameras begin their numbers anew.
  const parts = isOneShot(own) ? own : [asset]
  const all = partner && !parts.some(({ id }) => id === partner.id) ? [...parts, partner] : parts
  const cover = all.find(isPhoto) ?? all.find(isRaw)
  if (all.length < 2 || !cover || !isOneShot(all) || hasStranger(all)) return null
  return { assetIds: all.map(({ id }) => id), cover: cover.id }
}

const isOneShot = (parts: readonly Shot[]) => [isPhoto, isRaw, isFilm].every((is) => parts.filter(is).length <= 1)

/** Whether some are in a group with others, from which they are not taken. */
const hasStranger = (parts: readonly Shot[]) =>
  parts.some(({ group }) => group && parts.filter((part) => part.group?.id === group.id).length < group.parts)

/** The film of a photo or raw file by its identifier, or the other way round: that of the same author and name, if there are several. */
function partnerOf(asset: Shot, others: readonly Shot[]): Shot | undefined {
  if (!asset.content_id || isBurstId(asset.content_id)) return
  const name = shotName(asset.name)
  const likeness = (other: Shot) => Number(shotName(other.name) === name) + 2 * Number(other.user_id === asset.user_id)
  return others
    .filter(
      (other) =>
        other.content_id === asset.content_id && other.id !== asset.id && isFilm(other) !== isFilm(asset) && !hasStranger([asset, other]),
    )
    .filter((other) => shotName(other.name) === name || ![other, asset].some((one) => EDITED.test(shotName(one.name))))
    .toSorted((a, b) => Number(isRaw(a)) - Number(isRaw(b)) || likeness(b) - likeness(a))[0]
}

function isSameShot(one: Shot, other: Shot): boolean {
  if (one.user_id !== other.user_id || shotName(one.name) !== shotName(other.name) || one.date === null || other.date === null) return false
  if (one.content_id && other.content_id && one.content_id !== other.content_id) return false
  if (one.date_precision !== 'minute' || other.date_precision !== 'minute') return false
  return Math.abs(Date.parse(one.date) - Date.parse(other.date)) <= SAME_SHOT
}

/** Photos of one author that say themselves that they are of one burst, the oldest on top. */
function burstOf(asset: Shot, others: readonly Shot[]): NewGroup | null {
  if (!isPhoto(asset) || !isBurstId(asset.content_id)) return null
  const burst = [
    asset,
    ...others.filter((other) => other.id !== asset.id && other.content_id === asset.content_id && other.user_id === asset.user_id),
  ]
    .filter(isPhoto)
    .toSorted((a, b) => (a.date ?? '').localeCompare(b.date ?? '') || a.name.localeCompare(b.name))
    .slice(0, LIMITS.partsPerGroup)
  const [cover] = burst
  if (!cover || burst.length < 2 || hasStranger(burst)) return null
  return { assetIds: burst.map(({ id }) => id), cover: cover.id }
}
