import type { DatePrecision } from '../dates.ts'
import { LIMITS } from '../limits.ts'
import type { Location } from '../locations.ts'
import { fitLine, fitLocation, fitMoment } from './fit.ts'
import { readXml, type XmlNode } from './xml.ts'

/** Metadata of a sidecar, or of the XMP in a file; empty fields where it has none. */
export interface Sidecar {
  /** A moment with an offset; null if only the wall clock is known. */
  date: string | null
  /** The wall clock, `YYYY-MM-DDThh:mm:ss` with a fraction if there is one; of a day, month or year it is noon of the first day. */
  wall: string | null
  /** The known part of the wall clock; `unknown` if and only if it is null. */
  precision: DatePrecision
  location: Location | null
  description: string
  people: string[]
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const EXIF = 'http://ns.adobe.com/exif/1.0/'
const EXIF_EX = 'http://cipa.jp/exif/1.0/'
const TIFF = 'http://ns.adobe.com/tiff/1.0/'
const XMP = 'http://ns.adobe.com/xap/1.0/'
const DC = 'http://purl.org/dc/elements/1.1/'
const PHOTOSHOP = 'http://ns.adobe.com/photoshop/1.0/'
const IPTC = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'
const MWG = 'http://www.metadataworkinggroup.com/schemas/regions/'
const MP = 'http://ns.microsoft.com/photo/1.2/'
const MP_REGION = 'http://ns.microsoft.com/photo/1.2/t/Region#'

/** Prefixes of files that do not declare them. */
const USUAL = {
  ...{ rdf: RDF, exif: EXIF, exifEX: EXIF_EX, tiff: TIFF, xmp: XMP, xap: XMP, dc: DC, photoshop: PHOTOSHOP },
  ...{ Iptc4xmpExt: IPTC, 'mwg-rs': MWG, MP, MPReg: MP_REGION },
}

/**
 * Reads the XMP that Apple Photos, Immich, exiftool, digiKam, Lightroom and Windows write beside a file or in it. Damage leads to missing
 * fields, never to an error.
 */
export function readXmp(xmp: string): Sidecar {
  const root = readXml(xmp, USUAL)
  const resources = root ? within(root, `${RDF}RDF`).flatMap(({ children }) => children) : []
  const value = (name: string) => resources.map((resource) => field(resource, name)).find((found) => found !== null) ?? null
  const known = (...names: string[]) => names.map(value).find((text) => text?.trim()) ?? ''
  const lat = degrees(value(`${EXIF}GPSLatitude`), value(`${EXIF}GPSLatitudeRef`))
  const lon = degrees(value(`${EXIF}GPSLongitude`), value(`${EXIF}GPSLongitudeRef`))
  return {
    ...whenOf(value),
    location: fitLocation(lat, lon),
    description: known(`${DC}description`, `${TIFF}ImageDescription`, `${EXIF}UserComment`, `${DC}title`, `${PHOTOSHOP}Headline`).trim(),
    people: root
      ? [
          ...new Set(
            peopleIn(root)
              .map((name) => fitLine(name, LIMITS.personName))
              .filter(Boolean),
          ),
        ]
      : [],
  }
}

/** The elements of a name at any depth. */
function within(node: XmlNode, name: string): XmlNode[] {
  return node.name === name ? [node] : node.children.flatMap((child) => within(child, name))
}

/** Text of a property: an attribute, or an element with text, with a `rdf:value` or with a list. */
function field(resource: XmlNode, name: string): string | null {
  const short = resource.attributes.get(name)
  if (short !== undefined) return short
  const element = resource.children.find((child) => child.name === name)
  return element ? (listed(element)[0] ?? nestedField(element, `${RDF}value`) ?? element.text.trim()) : null
}

/** A structure is in its element itself, or in a description in it. */
function nestedField(node: XmlNode, name: string): string | null {
  const parts = [node, ...node.children.filter((child) => child.name === `${RDF}Description`)]
  return parts.map((part) => field(part, name)).find((found) => found !== null) ?? null
}

/** Texts of a list; of alternatives in several languages, the default one first. */
function listed(element: XmlNode): string[] {
  const items = within(element, `${RDF}li`)
  const languageOf = ({ attributes }: XmlNode) => attributes.get('xml:lang') ?? ''
  const inOrder = items.toSorted((a, b) => Number(languageOf(b) === 'x-default') - Number(languageOf(a) === 'x-default'))
  return inOrder.map((item) => nestedField(item, `${RDF}value`) ?? item.text.trim())
}

/** Names from IPTC, and of the faces that the Metadata Working Group and Microsoft describe as regions. */
function peopleIn(root: XmlNode): string[] {
  const faces = within(root, `${MWG}RegionList`).flatMap((list) => within(list, `${RDF}li`))
  const named = faces.filter((face) => /^(face)?$/i.test(nestedField(face, `${MWG}Type`) ?? ''))
  return [
    ...within(root, `${IPTC}PersonInImage`).flatMap((element) => (element.children.length > 0 ? listed(element) : element.text)),
    ...within(root, `${IPTC}PersonName`).flatMap((element) => listed(element)[0] ?? element.text),
    ...named.map((face) => nestedField(face, `${MWG}Name`) ?? ''),
    ...within(root, `${MP}RegionInfo`)
      .flatMap((info) => within(info, `${RDF}li`))
      .map((face) => nestedField(face, `${MP_REGION}PersonDisplayName`) ?? ''),
  ]
}

type When = Pick<Sidecar, 'date' | 'wall' | 'precision'>

/** The first date that can be read; a moment in its own field may have its offset in another. */
function whenOf(value: (name: string) => string | null): When {
  const fields: [name: string, offset: string][] = [
    [`${EXIF}DateTimeOriginal`, 'OffsetTimeOriginal'],
    [`${PHOTOSHOP}DateCreated`, 'OffsetTimeOriginal'],
    [`${EXIF}DateTimeDigitized`, 'OffsetTimeDigitized'],
    [`${XMP}CreateDate`, 'OffsetTimeDigitized'],
  ]
  for (const [name, offset] of fields) {
    const when = readDate(value(name), value(`${EXIF}${offset}`) ?? value(`${EXIF_EX}${offset}`))
    if (when) return when
  }
  return { date: null, wall: null, precision: 'unknown' }
}

const DATE = /^(\d{4})(?:[-:](\d\d)(?:[-:](\d\d))?)?(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

function readDate(text: string | null, offset: string | null): When | null {
  const found = DATE.exec(text?.trim() ?? '')
  if (!found) return null
  const [, year = '0000', month = '00', day = '00', hour, minute = '00', second = '00', fraction = '', zone] = found
  if (year === '0000') return null
  const precision = month === '00' ? 'year' : day === '00' ? 'month' : hour === undefined ? 'day' : 'minute'
  const [first, one] = [month === '00' ? '01' : month, day === '00' || month === '00' ? '01' : day]
  const clock = precision === 'minute' ? `${hour}:${minute}:${second}${fraction.slice(0, 4)}` : '12:00:00'
  const wall = startOfDay(`${year}-${first}-${one}T${clock}`)
  // Refuses days such as 31 February.
  if (!fitMoment(`${wall}Z`)) return null
  const moment = precision === 'minute' ? fitMoment(`${wall}${zone?.toUpperCase() ?? offset?.trim() ?? ''}`) : null
  return { date: moment, wall, precision }
}

/** 24:00 is the start of the next day. */
function startOfDay(wall: string): string {
  const [day = '', clock = ''] = wall.split('T')
  if (!/^24:00:00(\.0*)?$/.test(clock) || !fitMoment(`${day}T00:00:00Z`)) return wall
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 19)
}

/**
 * `48,12.5N`, `48,12,30N`, `48.2083`, `48/1 25/2` or `48° 12' 30" N`, with the hemisphere in the text, in a field of its own, or as a sign.
 * `48,2083` has a comma as its decimal point, because minutes have two digits. Null if there is no number, or what should be minutes are none.
 */
function degrees(text: string | null, reference: string | null): number | null {
  const pointed = text?.trim().replace(/^([-−]?\d{1,3}),(\d{3,}\D*)$/, '$1.$2')
  const parts = (pointed?.match(/\d+(?:\.\d+)?(?:\/\d+)?/g) ?? []).slice(0, 3).map((part) => {
    const [above = 0, below = 1] = part.split('/').map(Number)
    return above / below
  })
  if (!text || parts.length === 0 || parts.some((part) => !Number.isFinite(part))) return null
  // Programs round seconds to 60.
  const [, minutes = 0, seconds = 0] = parts
  if (minutes >= 60 || seconds > 60) return null
  const value = parts.reduce((sum, part, i) => sum + part / 60 ** i, 0)
  const side = /[nsew]/i.exec(text.replace(/deg/gi, ''))?.[0] ?? reference?.trim()[0]
  return (side ? /[sw]/i.test(side) : /^\s*[-−]/.test(text)) ? -value : value
}
