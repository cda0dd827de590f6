import { view } from '../image-bytes.ts'
import { type Box, boxesIn, free, freeName } from './box-reader.ts'
import { type Patch, replace, type Span } from './patches.ts'
import { cleanExifOf } from './picture.ts'
import { read, type Source, textOf, Uncleanable } from './source.ts'
import { cleanXmp } from './xmp.ts'

const KEPT = /^(hdlr|pitm|iinf|iref|iprp|iloc|idat|dinf|grpl)$/
const PROPERTIES =
  /^(ispe|pixi|colr|hvcC|av1C|avcC|vvcC|irot|imir|clap|pasp|auxC|rloc|lsel|a1lx|a1op|clli|mdcv|cclv|amve|reve|ndwt|lhvC|oinf|tols|crtt|iscl|ccst|cmpd|uncC)$/
/** Coded pictures, and those that are put together of others. */
const PICTURES = /^(hvc1|hev1|lhv1|av01|avc1|vvc1|unci|grid|iovl|iden|tmap|mski)$/
/** Longer ones become spaces unread. */
const MAX_TEXT = 4 * 1024 * 1024

/** The pictures of a HEIC or AVIF: patches, what of the file they use, and the box that may have some of it. */
export interface Items {
  patches: Patch[]
  used: Span[]
  data: Box[]
}

/** Keeps pictures and their properties of the file's `meta`; EXIF and XMP are cleaned, all else becomes free. Throws Uncleanable. */
export async function cleanItems(source: Source, meta: Box): Promise<Items> {
  const boxes = await boxesIn(source, meta.body + 4, meta.end)
  const patches: Patch[] = []
  for (const box of boxes) patches.push(...(await cleanBox(source, box)))
  const only = (type: string) => {
    const found = boxes.filter((box) => box.type === type)
    if (found.length > 1) throw new Uncleanable()
    return found[0]
  }
  const [names, places, data] = [only('iinf'), only('iloc'), only('idat')]
  if (!names || !places) throw new Uncleanable()
  const types = await typesOf(source, names)
  const used: Span[] = []
  for (const { id, spans } of await locationsOf(source, places, data)) {
    const type = types.get(id) ?? ''
    if (PICTURES.test(type)) used.push(...spans)
    else if (spans.length === 1 && spans[0] && (type === 'Exif' || type === XMP)) {
      patches.push(await metadata(source, spans[0], type))
      used.push(spans[0])
    }
  }
  return { patches, used, data: data ? [data] : [] }
}

async function cleanBox(source: Source, box: Box): Promise<Patch[]> {
  if (!KEPT.test(box.type)) return free(box)
  if (box.type === 'hdlr') return freeName(box)
  if (box.type !== 'iprp') return []
  const patches: Patch[] = []
  for (const inner of await boxesIn(source, box.body, box.end)) {
    if (inner.type === 'ipco') {
      for (const property of await boxesIn(source, inner.body, inner.end))
        if (!PROPERTIES.test(property.type)) patches.push(...free(property))
    } else if (inner.type !== 'ipma') patches.push(...free(inner))
  }
  return patches
}

const XMP = 'application/rdf+xml'

/** Types of the items by their ids; of XMP its media type. */
async function typesOf(source: Source, { body, end }: Box): Promise<Map<number, string>> {
  const wide = (await read(source, body, 1))[0] !== 0
  const types = new Map<number, string>()
  for (const entry of await boxesIn(source, body + (wide ? 8 : 6), end)) {
    if (entry.type !== 'infe') throw new Uncleanable()
    const bytes = await read(source, entry.body, entry.end - entry.body)
    const version = bytes[0] ?? 0
    if (version < 2 || version > 3) throw new Uncleanable('kind')
    const id = version === 3 ? view(bytes).getUint32(4) : view(bytes).getUint16(4)
    const at = version === 3 ? 10 : 8
    const type = textOf(bytes.subarray(at, at + 4))
    if (types.has(id)) throw new Uncleanable()
    const [, media] = textOf(bytes.subarray(at + 4)).split('\0')
    types.set(id, type === 'mime' && media === XMP ? XMP : type)
  }
  return types
}

interface Located {
  id: number
  spans: Span[]
}

/** Where the items are. Those in `idat` count from its content. */
async function locationsOf(source: Source, { body, end }: Box, data: Box | undefined): Promise<Located[]> {
  const bytes = view(await read(source, body, end - body))
  let at = 0
  const next = (size: number) => {
    const value = size === 0 ? 0 : size === 2 ? bytes.getUint16(at) : size === 4 ? bytes.getUint32(at) : Number(bytes.getBigUint64(at))
    at += size
    return value
  }
  const version = bytes.getUint8(0)
  const sizes = bytes.getUint16(4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  if (version > 2 || [offsetSize, lengthSize, baseSize, indexSize].some((size) => ![0, 4, 8].includes(size))) throw new Uncleanable()
  at = 6
  const items: Located[] = []
  for (let left = next(version < 2 ? 2 : 4); left > 0; left--) {
    const id = next(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : next(2) & 15
    const isLocal = next(2) === 0
    const base = next(baseSize)
    const spans = Array.from({ length: next(2) }, (): Span => {
      next(indexSize)
      const start = base + next(offsetSize)
      return [start, start + next(lengthSize)]
    })
    if (!isLocal || method > 1 || (method === 1 && !data)) throw new Uncleanable('kind')
    items.push({ id, spans: spans.map((span) => placed(span, method === 1 ? data : undefined, source.size)) })
  }
  return items
}

function placed([from, to]: Span, data: Box | undefined, size: number): Span {
  const span = [from + (data?.body ?? 0), to + (data?.body ?? 0)] as const
  // No length means all of the file.
  if (to <= from || span[1] > (data?.end ?? size)) throw new Uncleanable()
  return span
}

/** EXIF begins with the distance to its TIFF header. */
async function metadata(source: Source, [start, end]: Span, type: string): Promise<Patch> {
  const blank: Patch = { offset: start, length: end - start, value: type === XMP ? 0x20 : 0 }
  if (end - start > MAX_TEXT) return blank
  const bytes = await read(source, start, end - start)
  if (type === XMP) return replace(start, cleanXmp(bytes))
  const tiff = bytes.length >= 4 ? 4 + view(bytes).getUint32(0) : bytes.length
  if (tiff >= bytes.length || tiff > 16) return blank
  const clean = new Uint8Array(bytes.length)
  clean.set(bytes.subarray(0, 4))
  clean.set(await cleanExifOf(bytes.subarray(tiff)), tiff)
  return replace(start, clean)
}
