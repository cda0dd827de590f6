import { isJpegFrame } from '../../../contract/image-header.ts'
import { view } from '../image-bytes.ts'
import { cleanExif, cleanPictureList } from './exif.ts'
import { fill, ordered, type Patch, patcher, replace } from './patches.ts'
import { inMemory, read, type Source, textOf, Uncleanable } from './source.ts'
import { cleanXmp } from './xmp.ts'

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
const MAX_SEGMENT = 65_533
/** Levels of thumbnails in the EXIF of thumbnails. */
const MAX_NESTED = 2

/** Segments with nothing but what a decoder needs, by their first bytes, and how many bytes of them that are. */
const KEPT: readonly [marker: number, name: string, bytes: number][] = [
  [224, 'JFIF\0', 14],
  [226, 'ICC_PROFILE\0', MAX_SEGMENT],
  [226, 'urn:iso:std:iso:ts:21496:-1\0', MAX_SEGMENT],
  [238, 'Adobe', 12],
]
const MPF = 'MPF\0'

/** Cleans EXIF, with its thumbnail. */
export function cleanExifOf(tiff: Uint8Array, nested = 0): Promise<Uint8Array> {
  return cleanExif(tiff, async (jpeg) => {
    if (nested >= MAX_NESTED) return null
    try {
      const { patches, end } = await cleanPicture(inMemory(jpeg), nested + 1)
      return patcher(ordered([...patches, ...fill([end, jpeg.length])], jpeg.length))(jpeg)
    } catch (error) {
      if (error instanceof Uncleanable) return null
      throw error
    }
  })
}

/**
 * The first picture of the file, and where it ends. EXIF and XMP keep what describes the picture; IPTC, comments and segments of unknown use become zero.
 * Throws Uncleanable.
 */
export async function cleanPicture(source: Source, nested = 0): Promise<{ patches: Patch[]; end: number }> {
  const start = await read(source, 0, 2)
  if (start[0] !== 0xff || start[1] !== SOI) throw new Uncleanable()
  const patches: Patch[] = []
  let scans = 0
  for (let at = 2; ; ) {
    // A picture that is cut off in its pixels is shown as far as it goes.
    if (at + 2 > source.size && scans > 0) return { patches, end: source.size }
    const [sign, marker = 0] = await read(source, at, 2)
    if (sign !== 0xff) throw new Uncleanable()
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === EOI) return { patches, end: at + 2 }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)) throw new Uncleanable()
    const length = view(await read(source, at + 2, 2)).getUint16(0)
    const end = at + 2 + length
    if (length < 2 || end > source.size) throw new Uncleanable()
    if (marker === SOS) scans++
    else patches.push(...(await segment(source, { marker, start: at + 4, end }, nested)))
    at = marker === SOS ? await endOfScan(source, end) : end
  }
}

/** Where the next marker after a scan's data is, or the end of the file. */
async function endOfScan(source: Source, from: number): Promise<number> {
  for (let at = from; at < source.size; ) {
    const block = await source.from(at)
    for (let found = block.indexOf(0xff); found >= 0; found = block.indexOf(0xff, found + 1)) {
      const next = block[found + 1] ?? (at + found + 1 < source.size ? (await source.from(at + found + 1))[0] : EOI)
      if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + found
    }
    at += block.length
  }
  return source.size
}

interface Segment {
  marker: number
  /** Of its content. */
  start: number
  end: number
}

const isTable = (marker: number) => isJpegFrame(marker) || [0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xde, 0xdf].includes(marker)
const XMP = 'http://ns.adobe.com/xap/1.0/\0'

async function segment(source: Source, { marker, start, end }: Segment, nested: number): Promise<Patch[]> {
  if (isTable(marker)) return []
  const bytes = await read(source, start, end - start)
  const head = textOf(bytes.subarray(0, 40))
  const kept = KEPT.find(([of, name]) => of === marker && head.startsWith(name))
  if (kept) return fill([start + kept[2], end])
  if (marker === 0xe2 && head.startsWith(MPF)) return [replace(start + MPF.length, await cleanPictureList(bytes.subarray(MPF.length)))]
  if (marker === 0xe1 && /^Exif\0[\0\xff]/.test(head)) return [replace(start + 6, await cleanExifOf(bytes.subarray(6), nested))]
  if (marker === 0xe1 && head.startsWith(XMP)) return [replace(start + XMP.length, cleanXmp(bytes.subarray(XMP.length)))]
  return fill([start, end])
}
