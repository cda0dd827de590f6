import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Asset } from '../../contract/assets.ts'
import type { Stack } from '../../dev/stack.ts'
import { findSimilar } from '../../web/lib/similar/find-similar.ts'
import { type Figure, timed } from './figures.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const [WIDTH, HEIGHT] = [32, 24]

/** Milliseconds that it takes to find what is alike among `size` photos, in Node, and the longest time in which nothing else could run. */
export async function measureSimilar(_stack: Stack, size: number): Promise<Figure[]> {
  const pictures = await Promise.all(
    (await readdir(PICTURES)).map((name) => sharp(path.join(PICTURES, name)).resize(400, 300).ensureAlpha().raw().toBuffer()),
  )
  const photos = Array.from({ length: size }, (_, n) => photoOf(n, pictures[n % pictures.length] ?? Buffer.alloc(0)))
  let [longest, last, sets] = [0, performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  const [took = 0] = await timed(1, async () => {
    const { signal } = new AbortController()
    sets = (await findSimilar(photos, { areDifferent: () => false, signal }))?.length ?? 0
  })
  clearInterval(timer)
  const what = `what is alike among ${size.toLocaleString('en')} photos`
  return [
    { what, value: `${took.toFixed(0)} ms, ${sets} sets` },
    { what: `${what}: longest time without a pause`, value: `${longest.toFixed(0)} ms` },
  ]
}

/** Some part of a picture of 400 by 300 pixels. */
function photoOf(n: number, pixels: Buffer): Asset {
  const scale = 3 + 9 * Math.random()
  const [left, top] = [Math.random() * (400 - WIDTH * scale), Math.random() * (300 - HEIGHT * scale)]
  const small = new Uint8Array(WIDTH * HEIGHT * 4)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const at = (Math.floor(top + y * scale) * 400 + Math.floor(left + x * scale)) * 4
      small.set(pixels.subarray(at, at + 4), (y * WIDTH + x) * 4)
    }
  const thumbhash = Buffer.from(rgbaToThumbHash(WIDTH, HEIGHT, small)).toString('base64')
  const row = {
    id: String(n),
    type: 'image/jpeg',
    status: 'ready',
    width: 4000,
    height: 3000,
    size: n,
    date: null,
    location: null,
    thumbhash,
  }
  return { ...row, created_at: '2026-01-01T00:00:00Z' } as Asset
}
