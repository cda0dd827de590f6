import { view } from '../image-bytes.ts'
import { fill, type Patch, replace } from './patches.ts'
import { read, type Source, Uncleanable } from './source.ts'

const [EBML, SEGMENT, CLUSTER, TRACKS, TRACK, TRACK_TYPE] = [0x1a45dfa3, 0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0x83]
const [INFORMATION, VOID] = [0x1549a966, 0xec]
/** Seek head, information, tracks, clusters, cues. Tags, attachments and chapters are not among them. */
const KEPT = new Set([0x114d9b74, INFORMATION, TRACKS, CLUSTER, 0x1c53bb6b])
/** Scale of time, duration, date, programs, id. Not the title, nor a checksum, nor what a Void still has of something removed. */
const KEPT_INFORMATION = new Set([0x2ad7b1, 0x4489, 0x4461, 0x4d80, 0x5741, 0x73a4])
const NAME = 0x536e
/** Pictures and sound. */
const TYPES = [1, 2]
const MAX_ELEMENTS = 100_000

/**
 * Empties tags, attachments, chapters and unknown elements of WebM and Matroska. Throws Uncleanable, also for subtitles, whose samples are among those of
 * pictures and sound.
 */
export async function matroskaPatches(source: Source): Promise<Patch[]> {
  const patches: Patch[] = []
  let tracks = 0
  for await (const { id, start, body, end } of elements(source)) {
    if (id === TRACKS) {
      patches.push(...(await cleanTracks(source, body, end)))
      tracks++
    } else if (id === INFORMATION) patches.push(...(await cleanInformation(source, body, end)))
    else if (!KEPT.has(id)) patches.push(...emptied(start, end))
  }
  if (tracks !== 1) throw new Uncleanable()
  return patches
}

interface Element {
  id: number
  start: number
  body: number
  end: number
}

/** What is in the segment. */
async function* elements(source: Source): AsyncGenerator<Element> {
  const head = await elementAt(source, 0, source.size)
  const segment = await elementAt(source, head.end, source.size)
  if (head.id !== EBML || segment.id !== SEGMENT) throw new Uncleanable()
  let count = 0
  for (let at = segment.body; at < segment.end; ) {
    const element = await elementAt(source, at, segment.end)
    if (++count > MAX_ELEMENTS) throw new Uncleanable()
    yield element
    at = element.end
  }
  if (segment.end < source.size) yield { id: 0, start: segment.end, body: segment.end, end: source.size }
}

/** One without a known length ends with `to`. */
async function elementAt(source: Source, at: number, to: number): Promise<Element> {
  const bytes = await read(source, at, Math.min(12, to - at))
  const idLength = Math.clz32(bytes[0] ?? 0) - 23
  const size = bytes.subarray(idLength)
  const sizeLength = Math.clz32(size[0] ?? 0) - 23
  if (idLength > 4 || sizeLength > 8 || idLength + sizeLength > bytes.length) throw new Uncleanable()
  const id = bytes.subarray(0, idLength).reduce((all, byte) => all * 256 + byte, 0)
  const rest = size.subarray(1, sizeLength)
  const first = (size[0] ?? 0) & (0xff >> sizeLength)
  const unknown = first === 0xff >> sizeLength && rest.every((byte) => byte === 0xff)
  const length = rest.reduce((all, byte) => all * 256 + byte, first)
  const body = at + idLength + sizeLength
  // Recorded live: what follows cannot be told apart without reading every frame.
  if (unknown && id !== SEGMENT) throw new Uncleanable('kind')
  const end = unknown ? to : body + length
  if (end > to) throw new Uncleanable()
  return { id, start: at, body, end }
}

async function cleanInformation(source: Source, from: number, to: number): Promise<Patch[]> {
  const patches: Patch[] = []
  for (let at = from; at < to; ) {
    const field = await elementAt(source, at, to)
    if (!KEPT_INFORMATION.has(field.id)) patches.push(...emptied(at, field.end))
    at = field.end
  }
  return patches
}

/** Empties the names of tracks. Throws Uncleanable if one is neither picture nor sound. */
async function cleanTracks(source: Source, from: number, to: number): Promise<Patch[]> {
  const patches: Patch[] = []
  for (let at = from; at < to; ) {
    const track = await elementAt(source, at, to)
    if (track.id !== TRACK) patches.push(...emptied(at, track.end))
    for (let inner = track.body; track.id === TRACK && inner < track.end; ) {
      const field = await elementAt(source, inner, track.end)
      if (field.id === TRACK_TYPE && !TYPES.includes((await read(source, field.body, 1))[0] ?? 0)) throw new Uncleanable('kind')
      if (field.id === NAME || field.id === VOID) patches.push(...emptied(inner, field.end))
      inner = field.end
    }
    at = track.end
  }
  return patches
}

/** An element that readers skip, of the same length. */
function emptied(start: number, end: number): Patch[] {
  const length = end - start
  const head = new Uint8Array(length < 9 ? 2 : 9)
  head[0] = VOID
  if (length < 9) head[1] = 0x80 | (length - 2)
  else {
    view(head).setBigUint64(1, BigInt(length - 9))
    head[1] = 1
  }
  return length < 2 ? fill([start, end]) : [replace(start, head), ...fill([start + head.length, end])]
}
