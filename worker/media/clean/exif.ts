import { view } from '../image-bytes.ts'
import type { Span } from './patches.ts'
import { Uncleanable } from './source.ts'

/** Bytes of a value by its type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
/** Longer values are lists or texts of a program's own. */
const MAX_VALUE = 1024
const [EXIF, GPS, INTEROP, THUMBNAIL, THUMBNAIL_LENGTH] = [0x8769, 0x8825, 0xa005, 0x0201, 0x0202]

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const MAIN = new Set([
  ...[...range(0x00fe, 0x0103), 0x0106, 0x010f, 0x0110, 0x0112, 0x0115, 0x011a, 0x011b, 0x011c, 0x0128, 0x012d, 0x0131, 0x0132],
  ...[0x013b, 0x013e, 0x013f, 0x0211, 0x0212, 0x0213, 0x0214, 0x4746, 0x4749, 0x8298, EXIF],
])
const THUMB = new Set([0x0100, 0x0101, 0x0103, 0x0112, 0x011a, 0x011b, 0x0128, THUMBNAIL, THUMBNAIL_LENGTH])
const SHOT = new Set([
  ...[0x829a, 0x829d, 0x8822, 0x8824, 0x8827, ...range(0x8830, 0x8835), 0x9000, 0x9003, 0x9004, ...range(0x9010, 0x9012), 0x9101, 0x9102],
  ...[
    ...range(0x9201, 0x920a),
    0x9214,
    ...range(0x9290, 0x9292),
    ...range(0xa000, 0xa003),
    INTEROP,
    0xa20e,
    0xa20f,
    0xa210,
    0xa214,
    0xa215,
  ],
  ...[
    0xa217,
    ...range(0xa300, 0xa302),
    ...range(0xa401, 0xa40a),
    0xa40c,
    0xa420,
    ...range(0xa430, 0xa435),
    ...range(0xa460, 0xa462),
    0xa500,
  ],
])
const INTEROPERABILITY = new Set([1, 2, 0x1001, 0x1002])
/** Version, count and places of the pictures in a file. */
const PICTURES = new Set([0xb000, 0xb001, 0xb002])

/** A JPEG of the same length, or null if it cannot be cleaned. */
export type CleanThumbnail = (jpeg: Uint8Array) => Promise<Uint8Array | null>

/**
 * EXIF, which is a TIFF, of the same length, with nothing but the known tags of the camera and the shot: no GPS, no notes of the maker, no
 * text that people write. What no kept tag points to becomes zero. All of it does if it cannot be read.
 */
export function cleanExif(tiff: Uint8Array, cleanThumbnail: CleanThumbnail): Promise<Uint8Array> {
  return orEmpty(tiff, () => new ExifCopy(tiff, cleanThumbnail).clean())
}

/** The same for the list of the pictures in a file (CIPA MPF). */
export function cleanPictureList(tiff: Uint8Array): Promise<Uint8Array> {
  return orEmpty(tiff, async () => new ExifCopy(tiff, async () => null).cleanList())
}

async function orEmpty(tiff: Uint8Array, clean: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await clean()
  } catch (error) {
    if (error instanceof RangeError || error instanceof Uncleanable) return new Uint8Array(tiff.length)
    throw error
  }
}

interface Entry {
  at: number
  tag: number
  size: number
  /** Where its value is. */
  value: number
}

class ExifCopy {
  readonly #from: Uint8Array
  readonly #in: DataView
  readonly #to: Uint8Array
  readonly #out: DataView
  readonly #little: boolean
  readonly #cleanThumbnail: CleanThumbnail
  readonly #spans: Record<'directory' | 'kept' | 'removed', Span[]> = { directory: [], kept: [], removed: [] }
  readonly #directories = new Set<number>()

  constructor(tiff: Uint8Array, cleanThumbnail: CleanThumbnail) {
    this.#from = tiff
    this.#in = view(tiff)
    this.#to = new Uint8Array(tiff.length)
    this.#out = view(this.#to)
    this.#little = this.#in.getUint16(0) === 0x4949
    this.#cleanThumbnail = cleanThumbnail
  }

  async clean(): Promise<Uint8Array> {
    const main = this.#first()
    const next = this.#next(main)
    const thumb = next > 0 && (await this.#thumbnail(next))
    this.#directory(main, MAIN, thumb ? next : 0)
    this.#requireApart()
    return this.#to
  }

  cleanList(): Uint8Array {
    this.#directory(this.#first(), PICTURES)
    this.#requireApart()
    return this.#to
  }

  #first() {
    const order = this.#in.getUint16(0)
    if ((order !== 0x4949 && order !== 0x4d4d) || this.#in.getUint16(2, this.#little) !== 42) throw new Uncleanable()
    this.#copy([0, 8])
    return this.#entries(this.#in.getUint32(4, this.#little))
  }

  #entries(start: number): { start: number; list: Entry[] } {
    if (start < 8 || this.#directories.has(start)) throw new Uncleanable()
    this.#directories.add(start)
    const count = this.#in.getUint16(start, this.#little)
    const list = Array.from({ length: count }, (_, nth) => {
      const at = start + 2 + 12 * nth
      const size = (SIZES[this.#in.getUint16(at + 2, this.#little)] ?? 0) * this.#in.getUint32(at + 4, this.#little)
      return { at, tag: this.#in.getUint16(at, this.#little), size, value: size > 4 ? this.#pointer(at) : at + 8 }
    })
    return { start, list }
  }

  #pointer = (at: number) => this.#in.getUint32(at + 8, this.#little)

  /** The directory after this one, or 0: some programs write none. */
  #next({ start, list }: { start: number; list: Entry[] }): number {
    const at = start + 2 + 12 * list.length
    return at + 4 <= this.#from.length ? this.#in.getUint32(at, this.#little) : 0
  }

  /** Writes a directory where it was, with the kept entries alone. */
  #directory({ start, list }: { start: number; list: Entry[] }, tags: ReadonlySet<number>, next = 0): void {
    const kept = list.filter((entry) => tags.has(entry.tag) && this.#keep(entry))
    for (const entry of list) {
      if (kept.includes(entry)) continue
      if (entry.tag === GPS) this.#removeGps(entry)
      else if (entry.size > 4) this.#spans.removed.push([entry.value, entry.value + entry.size])
    }
    const all = this.#from.length
    this.#spans.directory.push([start, Math.min(start + 2 + 12 * list.length + 4, all)])
    this.#out.setUint16(start, kept.length, this.#little)
    for (const [nth, { at }] of kept.entries()) this.#to.set(this.#from.subarray(at, at + 12), start + 2 + 12 * nth)
    const end = start + 2 + 12 * kept.length
    if (end + 4 <= all) this.#out.setUint32(end, next, this.#little)
  }

  #keep(entry: Entry): boolean {
    const { tag, size, value, at } = entry
    if (size === 0 || size > MAX_VALUE || value + size > this.#from.length) return false
    if (tag === EXIF) this.#directory(this.#entries(this.#pointer(at)), SHOT)
    else if (tag === INTEROP) this.#directory(this.#entries(this.#pointer(at)), INTEROPERABILITY)
    else if (size > 4) this.#copy([value, value + size])
    return true
  }

  /** Its values must not be in what is kept. */
  #removeGps({ at }: Entry): void {
    const { start, list } = this.#entries(this.#pointer(at))
    this.#spans.removed.push([start, start + 2 + 12 * list.length])
    for (const { size, value } of list) if (size > 4) this.#spans.removed.push([value, value + size])
  }

  #copy(span: Span): void {
    this.#spans.kept.push(span)
    this.#to.set(this.#from.subarray(...span), span[0])
  }

  /** False if there is none, or none that can be cleaned. */
  async #thumbnail(start: number): Promise<boolean> {
    const directory = this.#entries(start)
    const entryOf = (wanted: number) => directory.list.find(({ tag, size }) => tag === wanted && size === 4)
    const [offset, length] = [entryOf(THUMBNAIL), entryOf(THUMBNAIL_LENGTH)].map((entry) => (entry ? this.#pointer(entry.at) : 0))
    if (!offset || !length || offset + length > this.#from.length) return false
    const jpeg = await this.#cleanThumbnail(this.#from.slice(offset, offset + length))
    if (!jpeg) return false
    this.#to.set(jpeg, offset)
    this.#spans.kept.push([offset, offset + length])
    this.#directory(directory, THUMB)
    return true
  }

  /** A file in which a kept value is where a removed one was, or where a directory is, is not as any program writes it. */
  #requireApart(): void {
    const ends = { directory: 0, kept: 0, removed: 0 }
    const kinds = ['directory', 'kept', 'removed'] as const
    const all = kinds.flatMap((kind) => this.#spans[kind].map((span) => ({ kind, span })))
    for (const { kind, span } of all.toSorted((a, b) => a.span[0] - b.span[0])) {
      if (kinds.some((other) => (other !== kind || kind === 'directory') && ends[other] > span[0])) throw new Uncleanable()
      ends[kind] = Math.max(ends[kind], span[1])
    }
  }
}
