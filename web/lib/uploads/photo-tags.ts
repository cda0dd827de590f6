import ExifReader, { type ExpandedTags } from 'exifreader'
import { findFilm } from '../film-in-photo.ts'
import { readXmp } from '../import/xmp.ts'
import type { PhotoTags } from './capture.ts'
import { shotIdOf } from './shot-id.ts'

/** Bytes. Tags come first in nearly all files; of a TIFF they may be at the end. */
const READ = 64 * 1024 * 1024

/** Left out because they are decoded in full, or not used. */
const UNUSED = { thumbnail: true, mpf: true, makerNotes: true, icc: true, photoshop: true, composite: true, jfif: true } as const

/** ExifReader returns the XMP of a file only if it can also parse it; Cairn reads it as it reads sidecars. */
const NO_PARSER = { parseFromString: () => ({ getElementsByTagName: () => [], childNodes: [] }) }

export interface PhotoMetadata {
  tags: PhotoTags
  /** As EXIF counts it, 1 to 8, where 1 is upright. Null if the file does not say. */
  orientation: number | null
  /** The camera's identifier of the shot or burst. */
  contentId: string | null
  /** Bytes of the film in a motion photo. */
  film: { start: number; end: number } | null
}

/** Tags of EXIF, XMP, IPTC and of PNG's texts in JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF and raw files. Empty for a damaged file. */
export async function readPhotoTags(file: Blob): Promise<PhotoMetadata> {
  try {
    const bytes = await file.slice(0, READ).arrayBuffer()
    const found = await ExifReader.load(bytes, { expanded: true, async: true, excludeTags: UNUSED, domParser: NO_PARSER })
    const contentId = shotIdOf((found.exif as Group | undefined)?.MakerNote?.value, found.xmp?._raw)
    return { tags: tagsOf(found), orientation: orientationOf(found), contentId, film: findFilm(new Uint8Array(bytes)) }
  } catch {
    return { tags: {}, orientation: null, contentId: null, film: null }
  }
}

const DATES = ['DateTimeOriginal', 'OffsetTimeOriginal', 'DateTimeDigitized', 'OffsetTimeDigitized', 'DateTime', 'OffsetTime'] as const
const FRACTIONS = ['SubSecTimeOriginal', 'SubSecTimeDigitized'] as const

function tagsOf({ exif = {}, gps, iptc, xmp, pngText }: ExpandedTags): PhotoTags {
  const text = (name: string) => textOf((exif as Group)[name])
  return {
    ...Object.fromEntries([...DATES, ...FRACTIONS, 'GPSDateStamp'].map((name) => [name, text(name)])),
    GPSTimeStamp: timesOf((exif as Group).GPSTimeStamp?.value),
    latitude: gps?.Latitude,
    longitude: gps?.Longitude,
    xmp: xmp?._raw ? readXmp(xmp._raw) : null,
    otherDates: [iptcDate(iptc as Group | undefined), pngText?.['Creation Time']?.description],
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

/** Programs that know no zone write +00:00, since IPTC demands one. */
function iptcDate(iptc: Group | undefined): string | undefined {
  const day = textOf(iptc?.['Date Created'])
  return day && `${day} ${textOf(iptc?.['Time Created'])?.replace(/[+-]00:?00$/, '') ?? ''}`.trim()
}

function orientationOf({ exif }: ExpandedTags): number | null {
  const value = exif?.Orientation?.value
  return typeof value === 'number' && value >= 1 && value <= 8 ? value : null
}
