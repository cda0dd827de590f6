import { view } from '../image-bytes.ts'
import type { Box } from './box-reader.ts'
import type { Span } from './patches.ts'
import { read, type Source, Uncleanable } from './source.ts'

/** Of one track: a day of sound. */
const MAX_SAMPLES = 4_000_000
const MAX_CHUNKS = 1_000_000

/** Content of a table whose first four bytes are version and flags. */
async function table(source: Source, tables: Box[], ...types: string[]): Promise<{ type: string; bytes: DataView }> {
  const found = tables.filter(({ type }) => types.includes(type))
  const [box] = found
  if (!box || found.length > 1) throw new Uncleanable()
  return { type: box.type, bytes: view(await read(source, box.body, box.end - box.body)) }
}

/** Where a track's bytes are in the file, chunk by chunk. Throws Uncleanable. */
export async function sampleSpans(source: Source, { tables, handler }: { tables: Box[]; handler: string }): Promise<Span[]> {
  const chunks = await table(source, tables, 'stco', 'co64')
  const runs = (await table(source, tables, 'stsc')).bytes
  const sizes = await sizesOf(source, tables, handler)
  const wide = chunks.type === 'co64'
  const count = chunks.bytes.getUint32(4)
  const runCount = runs.getUint32(4)
  if (count > MAX_CHUNKS || 8 + count * (wide ? 8 : 4) > chunks.bytes.byteLength || 8 + runCount * 12 > runs.byteLength)
    throw new Uncleanable()
  const spans: Span[] = []
  let sample = 0
  for (let [chunk, run] = [1, 0]; chunk <= count; chunk++) {
    while (run + 1 < runCount && runs.getUint32(8 + 12 * (run + 1)) <= chunk) run++
    const samples = runCount > 0 ? runs.getUint32(8 + 12 * run + 4) : 0
    const at = 8 + (chunk - 1) * (wide ? 8 : 4)
    const start = wide ? Number(chunks.bytes.getBigUint64(at)) : chunks.bytes.getUint32(at)
    const length = sizes(sample, samples)
    sample += samples
    if (start + length > source.size) throw new Uncleanable()
    const last = spans.at(-1)
    if (last && last[1] === start) spans[spans.length - 1] = [last[0], start + length]
    else if (length > 0) spans.push([start, start + length])
  }
  return spans
}

type Sizes = (first: number, count: number) => number

/** Bytes of so many samples together. */
async function sizesOf(source: Source, tables: Box[], handler: string): Promise<Sizes> {
  const { type, bytes } = await table(source, tables, 'stsz', 'stz2')
  const fixed = type === 'stsz' ? bytes.getUint32(4) : 0
  const total = bytes.getUint32(8)
  if (fixed > 0) {
    const each = handler === 'soun' ? Math.max(fixed, await frameSize(source, tables)) : fixed
    return (first, count) => Math.ceil(Math.max(0, Math.min(count, total - first)) * each)
  }
  const bits = type === 'stsz' ? 32 : bytes.getUint8(7)
  if (![4, 8, 16, 32].includes(bits) || total > MAX_SAMPLES || 12 + Math.ceil((total * bits) / 8) > bytes.byteLength)
    throw new Uncleanable()
  const sizeOf = (nth: number) => {
    if (bits === 32) return bytes.getUint32(12 + 4 * nth)
    if (bits === 16) return bytes.getUint16(12 + 2 * nth)
    if (bits === 8) return bytes.getUint8(12 + nth)
    const pair = bytes.getUint8(12 + (nth >> 1))
    return nth % 2 === 0 ? pair >> 4 : pair & 15
  }
  return (first, count) => {
    let sum = 0
    for (let nth = first; nth < Math.min(first + count, total); nth++) sum += sizeOf(nth)
    return sum
  }
}

/** Bytes of a frame of uncompressed sound, as its description says: QuickTime counts each as one byte. */
async function frameSize(source: Source, tables: Box[]): Promise<number> {
  const { bytes } = await table(source, tables, 'stsd')
  const at = 8
  if (bytes.byteLength < at + 36) return 0
  const version = bytes.getUint16(at + 16)
  const plain = (bytes.getUint16(at + 24) * bytes.getUint16(at + 26)) / 8
  if (version === 1 && bytes.byteLength >= at + 52) return bytes.getUint32(at + 44) / Math.max(1, bytes.getUint32(at + 36))
  if (version === 2 && bytes.byteLength >= at + 72) return bytes.getUint32(at + 64) / Math.max(1, bytes.getUint32(at + 68))
  return plain
}
