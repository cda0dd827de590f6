import type { Asset } from '../../../contract/assets.ts'
import { isRaw } from '../../../contract/parts.ts'
import { hasFilm } from '../film-in-photo.ts'
import { firstIndexWhere } from '../first-index-where.ts'
import { kindOf, moves } from '../media.ts'
import { memoizeByObject } from '../memoize-by-object.ts'
import { yieldToMain } from '../scheduling.ts'
import { bestFirst } from './best.ts'
import { type Fingerprint, fingerprintOf, looksLike, MEANS } from './fingerprint.ts'

export interface Finding {
  /** Pairs that somebody has called different. */
  areDifferent: (a: string, b: string) => boolean
  signal: AbortSignal
}

interface Candidate {
  asset: Asset
  print: Fingerprint
  /** Width over height. */
  shape: number
}

/** Milliseconds of work before the page may do something else. */
const SLICE = 10

/** How much the shapes of copies differ, at most: sizes are whole pixels. */
const SHAPE = 0.03

/**
 * Sets of photos that look alike, the best of each first, in the order in which `assets` has their first ones. Each photo is in one set at most, and like the best
 * one of it: photos that change little by little from one to the next are no set. Null if it was aborted. Works in slices, so that the page stays usable.
 */
export async function findSimilar(assets: readonly Asset[], { areDifferent, signal }: Finding): Promise<Asset[][] | null> {
  const pause = slices()
  const candidates: Candidate[] = []
  for (const asset of assets) {
    const candidate = candidateOf(asset)
    if (candidate) candidates.push(candidate)
    await pause()
    if (signal.aborted) return null
  }
  candidates.sort((a, b) => bestFirst(a.asset, b.asset))
  const likeThis = comparison(candidates)
  const taken = new Set<number>()
  const sets: Asset[][] = []
  for (const [rank, { asset }] of candidates.entries()) {
    await pause()
    if (signal.aborted) return null
    if (taken.has(rank)) continue
    const others = likeThis(rank).filter((other) => !taken.has(other) && !areDifferent(asset.id, candidates[other]?.asset.id ?? ''))
    if (others.length === 0) continue
    for (const one of [rank, ...others]) taken.add(one)
    sets.push([asset, ...others.sort((a, b) => a - b).flatMap((other) => candidates[other]?.asset ?? [])])
  }
  return inOrderOf(assets, sets)
}

/**
 * Null for what is not compared: what is more than its picture (raw files, pictures that move, motion photos), films, of which only one frame is known, files, and
 * pictures that nobody could decode.
 */
const candidateOf = memoizeByObject((asset: Asset): Candidate | null => {
  if (kindOf(asset.type) !== 'photo' || isRaw(asset) || moves(asset) || hasFilm(asset)) return null
  if (asset.status !== 'ready' || !asset.width || !asset.height) return null
  const print = fingerprintOf(asset.thumbhash)
  return print && { asset, print, shape: asset.width / asset.height }
})

/**
 * Finds the later candidates that are like one. Those before it need not be compared: either they had their own set, or they are in that of another. Only pictures of
 * about the same lightness are looked at, in arrays of numbers, sorted once.
 */
function comparison(candidates: readonly Candidate[]): (rank: number) => number[] {
  const light = Float32Array.from(candidates, ({ print }) => print.means[0])
  const ranks = Uint32Array.from(candidates.keys()).sort((a, b) => (light[a] ?? 0) - (light[b] ?? 0))
  const sorted = Float32Array.from(ranks, (rank) => light[rank] ?? 0)
  return (rank) => {
    const one = candidates[rank]
    const found: number[] = []
    if (!one) return found
    const [first, last] = [one.print.means[0] - MEANS[0], one.print.means[0] + MEANS[0]]
    const begin = firstIndexWhere(sorted.length, (at) => (sorted[at] ?? 0) >= first)
    for (let at = begin; at < ranks.length && (sorted[at] ?? 0) <= last; at++) {
      const later = ranks[at] ?? 0
      const other = later > rank ? candidates[later] : undefined
      if (other && Math.abs(other.shape / one.shape - 1) <= SHAPE && looksLike(one.print, other.print)) found.push(later)
    }
    return found
  }
}

function inOrderOf(assets: readonly Asset[], sets: readonly Asset[][]): Asset[][] {
  const places = new Map(assets.map(({ id }, place) => [id, place]))
  const placeOf = (set: readonly Asset[]) => set.reduce((first, { id }) => Math.min(first, places.get(id) ?? 0), assets.length)
  return sets.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function slices(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE) return undefined
    return yieldToMain().then(() => {
      begun = performance.now()
    })
  }
}
