import { channelsOf } from '../photos/thumbhash-image.ts'

/** What of a picture is compared: its average colour, and where it is lighter, yellower or redder than that. All are shares of the full range. */
export interface Fingerprint {
  /** Lightness, yellow against blue, red against green. */
  means: readonly [number, number, number]
  /** Amplitudes of the waves of all three, in one order for every shape of picture; NaN where its shape has none. */
  waves: Float32Array
  /** Sum of the squares of the waves. */
  energy: number
  /** The same of the waves that run aslant only: bars, margins and horizons have none. */
  detail: number
}

/** Waves per direction of each channel, at most, and where they begin. */
const SIDES = [7, 3, 3] as const
const STARTS = [0, 49, 58] as const
const LENGTH = 67

/** With less than this there is hardly anything to see: blank pages and clear skies all look alike. */
const FLAT = 0.004

/** The share of the strongest wave to which none at all is rounded, at most: a hash has no zero. */
const ROUNDING = 0.1

/** Pages and screens with one layout have about one hash, whatever is written on them: light ones are not compared, of others nothing is presumed. */
const LIGHT = 0.75
const PLAIN = 0.002
/** Whether there is too little in it to tell pictures of one layout apart. */
export const isPlain = ({ detail }: Fingerprint) => detail < PLAIN

/** From a base64 thumbhash; null if there is none, and for a picture that is flat, a light page, or partly transparent. */
export function fingerprintOf(thumbhash: string | null): Fingerprint | null {
  const bytes = thumbhash ? bytesOf(thumbhash) : null
  // The bit tells of transparency, which a copy in another format may lack.
  if (!bytes || bytes.length < 5 || (bytes[2] ?? 0) >> 7) return null
  const channels = channelsOf(bytes)
  const waves = new Float32Array(LENGTH).fill(Number.NaN)
  let [energy, detail] = [0, 0]
  for (const [n, channel] of channels.entries()) {
    const strongest = channel.waves.reduce((most, { height }) => Math.max(most, Math.abs(height)), 0)
    for (const { x, y, height } of channel.waves) {
      waves[(STARTS[n] ?? 0) + y * (SIDES[n] ?? 0) + x] = height
      energy += height * height
      if (x > 0 && y > 0 && Math.abs(height) > strongest * ROUNDING) detail += height * height
    }
  }
  const [light = 0, yellow = 0, red = 0] = channels.map(({ mean }) => mean)
  const print = { means: [light, yellow, red], waves, energy, detail } satisfies Fingerprint
  return energy < FLAT || (light >= LIGHT && isPlain(print)) ? null : print
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  } catch {
    return null
  }
}

/** How far the average colours of copies are apart, at most. Saving as JPEG changes them by one or two of 63 steps. */
export const MEANS = [0.05, 0.1, 0.1] as const

/** The largest distance of copies (docs/decisions/054-near-duplicates.md). */
const PATTERN = 0.3

/** Whether they show the same but for size, quality, and a small difference of light or cut. */
export function looksLike(a: Fingerprint, b: Fingerprint): boolean {
  return sameColour(a, b) && waveDistance(a, b, PATTERN) <= PATTERN
}

function sameColour({ means: [l, y, r] }: Fingerprint, { means }: Fingerprint): boolean {
  return Math.abs(l - means[0]) <= MEANS[0] && Math.abs(y - means[1]) <= MEANS[1] && Math.abs(r - means[2]) <= MEANS[2]
}

/** 0 for equal waves, about 1.4 for those that have nothing to do with each other; some number above `limit` for all that are further apart. */
function waveDistance(a: Fingerprint, b: Fingerprint, limit: number): number {
  const energy = (a.energy + b.energy) / 2
  const enough = limit * limit * energy
  let sum = 0
  // The lowest waves come first, so that most pairs are decided by a few of them.
  for (let n = 0; n < LENGTH && sum <= enough; n++) {
    const difference = (a.waves[n] ?? 0) - (b.waves[n] ?? 0)
    if (!Number.isNaN(difference)) sum += difference * difference
  }
  return Math.sqrt(sum / energy)
}
