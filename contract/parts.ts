import type { GroupKind } from './group.ts'
import { LIMITS } from './limits.ts'

/** The fields of an asset that tell which assets belong together. */
export interface Part {
  name: string
  type: string
  content_id?: string | null | undefined
  date: string | null
}

const RAW = /\.(3fr|arw|cr[23w]|dcr|dng|erf|gpr|iiq|kdc|mef|mos|mrw|nef|nrw|orf|pef|raf|raw|rw2|rwl|sr[2fw]|x3f)$/i
/** Most raw files are TIFF by their bytes, so the name decides. */
export const isRaw = ({ name }: Pick<Part, 'name'>) => RAW.test(name)
export const isFilm = ({ type }: Pick<Part, 'type'>) => type.startsWith('video/')
const isPhoto = (part: Part) => part.type.startsWith('image/') || isRaw(part)

/** A name without its extension, and without what Pixels put before it, as cameras use it for files of one shot. */
export const shotName = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.[^.]+$/, '')
    .replace(/\.(?:mp|raw-\d+\.(?:mp\.)?(?:cover|original))$/, '')

const BURST = 'burst:'
/** Whether it is the identifier of a burst, not of one shot. */
export const isBurstId = (contentId: string | null | undefined) => contentId?.startsWith(BURST) === true
export const burstId = (id: string) => `${BURST}${id}`.slice(0, LIMITS.contentId)

/** Milliseconds between two photos of a burst. Fast cameras take 5 to 30 a second. */
const BURST_GAP = 1_000

/** Two or more parts. Films and photos of one shot have one name, or one identifier that the camera wrote into all of them. */
export function kindOf(parts: readonly Part[]): GroupKind {
  const films = parts.filter(isFilm).length
  const photos = parts.filter(isPhoto).length
  if (films + photos < parts.length || films > 1) return 'stack'
  const [first] = parts
  const sameShot = parts.every(({ name }) => first && shotName(name) === shotName(first.name))
  const sameId = Boolean(first?.content_id) && parts.every(({ content_id }) => content_id === first?.content_id)
  if (films === 1) return sameShot || sameId ? 'live' : 'stack'
  const raws = parts.filter(isRaw).length
  if (sameShot && raws > 0 && raws < parts.length) return 'raw'
  return (sameId && isBurstId(first?.content_id)) || isFast(parts) ? 'burst' : 'stack'
}

function isFast(parts: readonly Part[]): boolean {
  const times = parts.map(({ date }) => (date === null ? Number.NaN : Date.parse(date))).sort((a, b) => a - b)
  return times.every((time, n) => n === 0 || time - (times[n - 1] ?? Number.NaN) <= BURST_GAP)
}
