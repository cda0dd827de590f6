import type { Location } from '../../../contract/locations.ts'
import { fitLine, fitLocation, fitMoment } from './fit.ts'

/** Metadata of a sidecar; empty fields where it has none. */
export interface Sidecar {
  /** With an offset, or a wall clock without one. */
  date: string | null
  wall: string | null
  location: Location | null
  description: string
  people: string[]
}

/** Reads the XMP that Immich, exiftool, digiKam and Lightroom write beside a file. Damage leads to missing fields, never to an error. */
export function readXmp(xmp: string): Sidecar {
  const value = (name: string) => attribute(xmp, name) ?? element(xmp, name)
  const when = value('exif:DateTimeOriginal') ?? value('photoshop:DateCreated') ?? value('xmp:CreateDate')
  const lat = degrees(value('exif:GPSLatitude'), 'S')
  const lon = degrees(value('exif:GPSLongitude'), 'W')
  return {
    date: fitMoment(when),
    wall: when && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/.exec(when)?.[0] ? when.slice(0, 19) : null,
    location: fitLocation(lat, lon),
    description: value('dc:description') ?? value('tiff:ImageDescription') ?? '',
    people: [...new Set([...items(xmp, 'Iptc4xmpExt:PersonInImage'), ...faces(xmp)].map((name) => fitLine(name, 100)).filter(Boolean))],
  }
}

function attribute(xmp: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(xmp)
  return found ? decode(found[1] ?? found[2] ?? '') : null
}

/** Text of an element, or of the first entry of the list in it. */
function element(xmp: string, name: string): string | null {
  const inside = within(xmp, name)
  if (inside === null) return null
  return decode((/<rdf:li[^>]*>([\s\S]*?)<\/rdf:li>/.exec(inside)?.[1] ?? inside).replace(/<[^>]*>/g, '').trim())
}

function items(xmp: string, name: string): string[] {
  return [...(within(xmp, name) ?? '').matchAll(/<rdf:li[^>]*>([^<]*)<\/rdf:li>/g)].map(([, text = '']) => decode(text))
}

/** Names of regions that are faces, as attributes or as elements. */
function faces(xmp: string): string[] {
  const regions = within(xmp, 'mwg-rs:RegionList') ?? ''
  return regions.split(/<rdf:li[\s>]/).flatMap((region) => {
    const kind = attribute(` ${region}`, 'mwg-rs:Type') ?? element(region, 'mwg-rs:Type')
    return kind === 'Face' ? (attribute(` ${region}`, 'mwg-rs:Name') ?? element(region, 'mwg-rs:Name') ?? []) : []
  })
}

function within(xmp: string, name: string): string | null {
  const from = new RegExp(`<${name}(?:\\s[^>]*)?>`).exec(xmp)
  if (!from) return null
  const start = from.index + from[0].length
  const end = xmp.indexOf(`</${name}>`, start)
  return end < 0 ? null : xmp.slice(start, end)
}

/** `48,12.5N`, `48,12,30N` or `48.2083`; the letter of the opposite hemisphere makes it negative. */
function degrees(text: string | null, negative: string): number | null {
  const found = /^\s*(-?[\d.]+)(?:,([\d.]+))?(?:,([\d.]+))?\s*([NSEW])?\s*$/i.exec(text ?? '')
  if (!found) return null
  const [, whole, minutes = '0', seconds = '0', side = ''] = found
  const value = Number(whole) + Number(minutes) / 60 + Number(seconds) / 3600
  return side.toUpperCase() === negative ? -value : value
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name) return ENTITIES[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
