import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { memoizeByObject } from '../memoize-by-object.ts'
import { fingerprintOf, isPlain } from './fingerprint.ts'

/** Milliseconds between two photos, from which on they are two shots. Copies of one may have lost their parts of a second. */
const TWO_SHOTS = 2_000
const HOUR = 3_600_000

const momentOf = ({ date, date_precision: precision }: Asset) => (date !== null && precision === 'minute' ? Date.parse(date) : null)

/** Milliseconds from one to the other; null if the moment of one is not known. */
function timeBetween(a: Asset, b: Asset): number | null {
  const [one, other] = [momentOf(a), momentOf(b)]
  return one === null || other === null ? null : Math.abs(one - other)
}

const plain = memoizeByObject((asset: Asset) => {
  const print = fingerprintOf(asset.thumbhash)
  return print !== null && isPlain(print)
})

function isSame(a: Asset, b: Asset): boolean {
  const time = timeBetween(a, b)
  return a.checksum === b.checksum || (time !== null && time <= TWO_SHOTS)
}

/** Whether photos that look alike may show two things: taken moments apart, or of one size, as pages and screens are, and with little in them to compare. */
function mayBeTwo(a: Asset, b: Asset): boolean {
  if (isSame(a, b)) return false
  return timeBetween(a, b) !== null || (a.width === b.width && a.height === b.height && (plain(a) || plain(b)))
}

/**
 * The ids of a set that are kept unless somebody decides otherwise: the best, which is the first one, what may show something else, what has parts, and what is in a
 * collection in which the best is not, since the trash takes it out of all.
 */
export function keptByDefault(set: readonly Asset[]): ReadonlySet<string> {
  const [best] = set
  const places = new Set(best?.collections.map(({ collection_id: id }) => id))
  const kept: Asset[] = []
  for (const asset of set) {
    const elsewhere = asset.collections.some(({ collection_id: id }) => !places.has(id))
    const other = !kept.some((one) => isSame(asset, one)) && set.some((one) => mayBeTwo(asset, one))
    if (asset === best || elsewhere || asset.group || other) kept.push(asset)
  }
  return new Set(kept.map(({ id }) => id))
}

/** Why photos of a set may not be copies of one; empty if nothing tells against it. */
export function doubtAbout(set: readonly Asset[]): string {
  const moments = set.map(momentOf).filter((moment) => moment !== null)
  const [first = 0] = moments
  const [from, to] = moments.reduce(([low, high], moment) => [Math.min(low, moment), Math.max(high, moment)], [first, first])
  if (to - from > TWO_SHOTS) return to - from <= HOUR ? t`Taken moments apart` : t`Taken at different times`
  return set.some((one) => set.some((other) => mayBeTwo(one, other))) ? t`There is little in them to compare` : ''
}
