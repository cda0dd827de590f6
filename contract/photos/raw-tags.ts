import { hex } from '../bytes.ts'

/** Raw files of Olympus and Panasonic are TIFFs with another number in place of 42. */
const OTHER_TIFF = /^II(?:R[OS]|U\0)/
/** Bytes of these that have the tags. */
const TAGS_END = 16 * 1024 * 1024
/** Of Canon's box in `moov` that holds a TIFF for each group of tags. */
const CANON_ID = '85c0b687820f11e08111f4ce462b6a48'
/** A damaged file may have no end of empty boxes. */
const MAX_BOXES = 100
/** The tags of a TIFF that point to the directories of EXIF and of GPS. */
const [EXIF, GPS] = [0x8769, 0x8825]

/**
 * The files inside a raw file whose tags are those of the photo, as readers of TIFF and JPEG know them: of CR3 (Canon), RAF (Fujifilm), ORF (Olympus)
 * and RW2 (Panasonic). Any other file is its own source. Throws RangeError for some damaged files.
 */
export function tagSources(bytes: ArrayBuffer): ArrayBuffer[] {
  const view = new DataView(bytes)
  const start = latin1(bytes, 0, 16)
  if (OTHER_TIFF.test(start)) return [asTiff(bytes)]
  if (start.startsWith('FUJIFILMCCD-RAW')) return [bytes.slice(view.getUint32(84), view.getUint32(84) + view.getUint32(88))]
  return start.slice(4, 12) === 'ftypcrx ' ? canonSources(bytes, view) : [bytes]
}

const latin1 = (bytes: ArrayBuffer, from: number, to: number) => String.fromCharCode(...new Uint8Array(bytes.slice(from, to)))

function asTiff(bytes: ArrayBuffer): ArrayBuffer {
  const tiff = bytes.slice(0, TAGS_END)
  new DataView(tiff).setUint16(2, 42, true)
  return tiff
}

function canonSources(bytes: ArrayBuffer, view: DataView): ArrayBuffer[] {
  const sources: ArrayBuffer[] = []
  const moov = boxesIn(bytes, view, { from: 0, to: bytes.byteLength }).find(({ name }) => name === 'moov')
  for (const box of moov ? boxesIn(bytes, view, moov) : []) {
    if (box.name !== 'uuid' || hex(bytes.slice(box.from, box.from + 16)) !== CANON_ID) continue
    const first = new Map(
      boxesIn(bytes, view, { from: box.from + 16, to: box.to })
        .toReversed()
        .map((inner) => [inner.name, inner]),
    )
    for (const { name, from, to } of first.values()) {
      if (name === 'CMT1') sources.push(bytes.slice(from, to))
      if (name === 'CMT2') sources.push(pointedTo(bytes.slice(from, to), EXIF))
      if (name === 'CMT4') sources.push(pointedTo(bytes.slice(from, to), GPS))
    }
  }
  return sources
}

/** Names and contents of the boxes in another one. What follows a long box of pixels is not of interest. */
function boxesIn(bytes: ArrayBuffer, view: DataView, { from, to }: { from: number; to: number }) {
  const boxes: { name: string; from: number; to: number }[] = []
  for (let at = from; at + 8 <= to && boxes.length < MAX_BOXES; ) {
    const size = view.getUint32(at)
    if (size < 8) break
    boxes.push({ name: latin1(bytes, at + 4, at + 8), from: at + 8, to: Math.min(at + size, to) })
    at += size
  }
  return boxes
}

/** The TIFF with a first directory that only points to the one it had. */
function pointedTo(tiff: ArrayBuffer, tag: number): ArrayBuffer {
  const made = new Uint8Array(tiff.byteLength + 18)
  made.set(new Uint8Array(tiff))
  const view = new DataView(made.buffer)
  const little = view.getUint16(0) === 0x4949
  const [before, at] = [view.getUint32(4, little), tiff.byteLength]
  view.setUint32(4, at, little)
  view.setUint16(at, 1, little)
  view.setUint16(at + 2, tag, little)
  view.setUint16(at + 4, 4, little)
  view.setUint32(at + 6, 1, little)
  view.setUint32(at + 10, before, little)
  return made.buffer
}
