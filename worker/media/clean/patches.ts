import { Uncleanable } from './source.ts'

/** Bytes of a file that are sent in place of its own: these, or so many of one value. */
export interface Patch {
  offset: number
  length: number
  value: Uint8Array | number
}

/** `[start, end)` */
export type Span = readonly [start: number, end: number]

export const fill = ([start, end]: Span, value = 0): Patch[] => (end > start ? [{ offset: start, length: end - start, value }] : [])
export const replace = (offset: number, value: Uint8Array): Patch => ({ offset, length: value.length, value })
export const moved = (patches: readonly Patch[], by: number): Patch[] => patches.map((patch) => ({ ...patch, offset: patch.offset + by }))

/** In order of their offsets. Throws Uncleanable if two concern the same byte: then the file is not as it was read. */
export function ordered(patches: readonly Patch[], size: number): Patch[] {
  const sorted = patches.toSorted((a, b) => a.offset - b.offset)
  let end = 0
  for (const { offset, length } of sorted) {
    if (offset < end) throw new Uncleanable()
    end = offset + length
  }
  if (end > size) throw new Uncleanable()
  return sorted
}

/** In order, and without overlaps. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && start <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)]
    else all.push([start, end])
  }
  return all
}

/** What of one span is in none of the others. */
export function gaps([start, end]: Span, spans: readonly Span[]): Span[] {
  const found: Span[] = []
  let at = start
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from >= end) break
    if (from > at) found.push([at, from])
    at = Math.max(at, to)
  }
  if (at < end) found.push([at, end])
  return found
}

/** What is in both of two merged lists. */
export function intersection(some: readonly Span[], others: readonly Span[]): Span[] {
  const found: Span[] = []
  for (let [i, j] = [0, 0]; i < some.length && j < others.length; ) {
    const [[a, b], [c, d]] = [some[i] as Span, others[j] as Span]
    if (Math.max(a, c) < Math.min(b, d)) found.push([Math.max(a, c), Math.min(b, d)])
    if (b < d) i++
    else j++
  }
  return found
}

/** Applies patches, in order of their offsets, to bytes that begin at `offset` of the file. Chunks may be changed in place. */
export function patcher(patches: readonly Patch[], offset = 0): (chunk: Uint8Array) => Uint8Array {
  let at = offset
  let next = 0
  return (chunk) => {
    const [start, end] = [at, at + chunk.length]
    at = end
    for (; next < patches.length; next++) {
      const patch = patches[next] as Patch
      if (patch.offset >= end) break
      apply(patch, chunk, start)
      // It goes on in the next chunk.
      if (patch.offset + patch.length > end) break
    }
    return chunk
  }
}

function apply({ offset, length, value }: Patch, chunk: Uint8Array, start: number): void {
  const from = Math.max(offset, start)
  const to = Math.min(offset + length, start + chunk.length)
  if (from >= to) return
  if (typeof value === 'number') chunk.fill(value, from - start, to - start)
  else chunk.set(value.subarray(from - offset, to - offset), from - start)
}

/** The same for a stream. */
export function patched(body: ReadableStream<Uint8Array>, patches: readonly Patch[], offset = 0): ReadableStream<Uint8Array> {
  const patch = patcher(patches, offset)
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(patch(chunk))
      },
    }),
  )
}
