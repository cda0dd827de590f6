import ExifReader, { type ExpandedTags } from 'exifreader'
import type { PhotoTags } from './capture.ts'
import { tagSources } from './raw-tags.ts'
import { shotIdOf } from './shot-id.ts'
import { readXmp } from './xmp.ts'

/** Left out because they are decoded in full, or not used. */
const UNUSED = { thumbnail: true, mpf: true, makerNotes: true, icc: true, photoshop: true, composite: true, jfif: true } as const

/** ExifReader returns the XMP of a file only if it can also parse it; Cairn reads it as it reads sidecars. */
const NO_PARSER = { parseFromString: () => ({ getElementsByTagName: () => [], childNodes: [] }) }

export interface PhotoMetadata {
  tags: PhotoTags
  /** As EXIF counts it, 1 to 8, where 1 is upright. Null if the file does not say. */
  orientation: number | null
  /** In pixels, before it is turned. */
  size: { width: number; height: number } | null
  /** The camera's identifier of the shot or burst. */
  contentId: string | null
}

/** Limits within which no file takes much memory, whatever it claims of itself: a value takes many times its bytes. */
interface TagLimits {
  /** Values that are read one by one. */
  reads: number
  /** Bytes of compressed metadata, and characters of XMP. */
  text: number
}

const NO_LIMITS: TagLimits = { reads: Number.POSITIVE_INFINITY, text: 64 * 1024 * 1024 }

/**
 * Tags of EXIF, XMP, IPTC and of PNG's texts in JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF and raw files, from the first bytes of the file.
 * Empty for a damaged file.
 */
export async function readPhotoTags(bytes: ArrayBuffer, limits = NO_LIMITS): Promise<PhotoMetadata> {
  try {
    const decompress = { maxDecompressedSize: limits.text }
    const options = { expanded: true, async: true, excludeTags: UNUSED, domParser: NO_PARSER, decompress } as const
    const parts = await Promise.all(tagSources(bytes).map((part) => ExifReader.loadView(new CountedView(part, limits.reads), options)))
    const found: ExpandedTags = Object.assign({}, ...parts, { exif: Object.assign({}, ...parts.map(({ exif }) => exif)) })
    const xmp = found.xmp?._raw
    const contentId = shotIdOf((found.exif as Group | undefined)?.MakerNote?.value, xmp && xmp.length <= limits.text ? xmp : undefined)
    return { tags: tagsOf(found, limits), orientation: orientationOf(found), size: sizeOf(found), contentId }
  } catch {
    return { tags: {}, orientation: null, size: null, contentId: null }
  }
}

/** Throws RangeError once too many values were read. */
class CountedView extends DataView<ArrayBuffer> {
  #left: number
  constructor(bytes: ArrayBuffer, reads: number) {
    super(bytes)
    this.#left = reads
  }

  #count(): void {
    if (this.#left-- <= 0) throw new RangeError('This file has too much metadata')
  }

  override getUint8(at: number): number {
    this.#count()
    return super.getUint8(at)
  }

  override getUint16(at: number, littleEndian?: boolean): number {
    this.#count()
    return super.getUint16(at, littleEndian)
  }

  override getUint32(at: number, littleEndian?: boolean): number {
    this.#count()
    return super.getUint32(at, littleEndian)
  }

  override getInt32(at: number, littleEndian?: boolean): number {
    this.#count()
    return super.getInt32(at, littleEndian)
  }
}

const DATES = ['DateTimeOriginal', 'OffsetTimeOriginal', 'DateTimeDigitized', 'OffsetTimeDigitized', 'DateTime', 'OffsetTime'] as const
const FRACTIONS = ['SubSecTimeOriginal', 'SubSecTimeDigitized'] as const

function tagsOf({ exif = {}, gps, iptc, xmp, pngText }: ExpandedTags, limits: TagLimits): PhotoTags {
  const text = (name: string) => textOf((exif as Group)[name])
  return {
    ...Object.fromEntries([...DATES, ...FRACTIONS, 'GPSDateStamp'].map((name) => [name, text(name)])),
    GPSTimeStamp: timesOf((exif as Group).GPSTimeStamp?.value),
    latitude: gps?.Latitude,
    longitude: gps?.Longitude,
    xmp: xmp?._raw && xmp._raw.length <= limits.text ? readXmp(xmp._raw) : null,
    otherDates: [iptcDate(iptc as Group | undefined), isoOfRfc(pngText?.['Creation Time']?.description)],
    captions: [
      textOf((iptc as Group | undefined)?.['Caption/Abstract']),
      text('ImageDescription'),
      text('XPTitle'),
      text('XPComment'),
      pngText?.Description?.description,
    ],
  }
}

type Group = Record<string, { value: unknown; description: string } | undefined>

const textOf = (tag: Group[string]) => tag?.description.replaceAll('\0', '').trim()

/** Rationals, as `[numerator, denominator]`, to numbers. */
function timesOf(value: unknown): number[] | null {
  return Array.isArray(value) ? value.map((part) => (Array.isArray(part) ? Number(part[0]) / Number(part[1]) : Number(part))) : null
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** `Mon, 27 Dec 2021 22:01:00 +0800`, as PNG recommends it, in the order that EXIF has; other texts unchanged. */
function isoOfRfc(text: string | undefined): string | undefined {
  const [, day = '', month = '', year, time] = /^(?:\w{3},\s*)?(\d{1,2}) (\w{3})\w* (\d{4}) (\d.*)$/.exec(text?.trim() ?? '') ?? []
  return year ? `${year}-${MONTHS.indexOf(month) / 3 + 1}-${day} ${time}` : text
}

/** Programs that know no zone write +00:00, since IPTC demands one. */
function iptcDate(iptc: Group | undefined): string | undefined {
  const day = textOf(iptc?.['Date Created'])
  return day && `${day} ${textOf(iptc?.['Time Created'])?.replace(/[+-]00:?00$/, '') ?? ''}`.trim()
}

function orientationOf({ exif }: ExpandedTags): number | null {
  const value = exif?.Orientation?.value
  return typeof value === 'number' && value >= 1 && value <= 8 ? value : null
}

/** The largest of the sizes in the tags: of raw files some are those of a thumbnail. */
function sizeOf({ exif }: ExpandedTags): PhotoMetadata['size'] {
  const tags: Group = (exif ?? {}) as Group
  const sizes = [
    ['PixelXDimension', 'PixelYDimension'],
    ['ImageWidth', 'ImageLength'],
  ].map(([width = '', height = '']) => ({ width: Number(tags[width]?.value), height: Number(tags[height]?.value) }))
  return sizes.filter(({ width, height }) => width > 0 && height > 0).toSorted((a, b) => b.width - a.width)[0] ?? null
}
