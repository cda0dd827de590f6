import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { box, numbers } from './raw-files.ts'

// Files that tell where they were made, in all the ways that cameras and programs know: in Hallstatt, 47.5622° N 13.6493° E.

export interface PlacedFile {
  name: string
  type: string
  bytes: Uint8Array
}

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
const fixture = async (name: string) => new Uint8Array(await readFile(path.join(FIXTURES, name)))
const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** Seconds of latitude and longitude as fractions, in both orders of bytes. */
const RATIONALS = [
  [4392, 100],
  [5748, 100],
].flatMap(([above = 0, below = 0]) => [numbers(above, below), Buffer.from(new Uint32Array([above, below]).buffer)])
/** How places are written in these files. */
const TEXTS = [
  'Hallstatt',
  'Austria',
  '47.5622',
  '47,33.732',
  '13.6493',
  '13,38.958',
  '+01.5515',
  '110.3584',
  '+47.5',
  'GPSL',
  '©xyz',
  '\xa9xyz',
]
/** Degrees of `loci`, as fixed-point numbers. */
const LOCI = numbers(Math.trunc(151.2 * 65536))
const TRACES = [...RATIONALS, LOCI, ...TEXTS.map(latin1)]

/** What of a place is in these bytes. */
export function tracesIn(bytes: Uint8Array): string[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return TRACES.filter((trace) => all.includes(trace)).map((trace) => trace.toString('latin1'))
}

export const PLACED_XMP = `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
   xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
   exif:GPSLatitude="47,33.732N" exif:GPSLongitude='13,38.958E' photoshop:City="Hallstatt" GPano:ProjectionType="equirectangular">
  <!-- In Hallstatt -->
  <dc:subject><rdf:Bag><rdf:li>Hallstatt</rdf:li><rdf:li>Austria</rdf:li></rdf:Bag></dc:subject>
  <Iptc4xmpCore:Location>Hallstatt</Iptc4xmpCore:Location><photoshop:Country>Austria</photoshop:Country>
 </rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`

const picture = (red: number) =>
  sharp({
    create: {
      width: 48,
      height: 32,
      channels: 3,
      background: { r: red, g: 90, b: 200 },
      noise: { type: 'gaussian', sigma: 20, mean: 120 },
    },
  })
    .withExif({
      IFD0: { Make: 'Canon', ImageDescription: 'The lake of Hallstatt', Orientation: '1' },
      IFD2: { DateTimeOriginal: '2024:05:03 10:00:00', OffsetTimeOriginal: '+02:00', UserComment: 'Hallstatt, Austria' },
      IFD3: {
        ...{ GPSLatitudeRef: 'N', GPSLatitude: '47/1 33/1 4392/100', GPSLongitudeRef: 'E', GPSLongitude: '13/1 38/1 5748/100' },
        ...{ GPSAreaInformation: 'Hallstatt', GPSAltitude: '511/1' },
      },
    })
    .withXmp(PLACED_XMP)

const segment = (marker: number, ...content: Uint8Array[]) => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes])
}

const iptc = (dataset: number, text: string) => Buffer.concat([Buffer.from([0x1c, 2, dataset, 0, text.length]), latin1(text)])

/** A motion photo with a gain map, IPTC, extended XMP, a comment, and the camera's notes at its end. */
async function jpeg(): Promise<Uint8Array> {
  const main = await picture(20).jpeg().toBuffer()
  const names = Buffer.concat([iptc(90, 'Hallstatt'), iptc(92, '47.5622'), iptc(101, 'Austria')])
  const resources = [latin1('Photoshop 3.0\x008BIM\x04\x04\0\0'), numbers(names.length), names]
  const extended = [
    latin1('http://ns.adobe.com/xmp/extension/\0'),
    Buffer.alloc(40, 'a'),
    latin1(PLACED_XMP.replace(/[^\x20-\x7e\n]/g, '')),
  ]
  const more = [
    segment(0xed, ...resources),
    segment(0xe1, ...extended),
    segment(0xfe, latin1('Hallstatt')),
    segment(0xeb, latin1('JP Hallstatt')),
  ]
  const notes = latin1('\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data13.6493 HallstattSEFH\x6b\0\0\0SEFT')
  const gainMap = await picture(230).jpeg().toBuffer()
  return Buffer.concat([
    main.subarray(0, 2),
    ...more,
    main.subarray(2),
    Buffer.alloc(7),
    gainMap,
    notes,
    await fixture('films/location.mov'),
    notes,
  ])
}

const chunk = (type: string, content: Uint8Array) => {
  const bytes = Buffer.concat([latin1(type), content])
  return Buffer.concat([numbers(content.length), bytes, numbers(crc32(bytes))])
}

async function png(): Promise<Uint8Array> {
  const bytes = await picture(60).png().toBuffer()
  const texts = [chunk('tEXt', latin1('Comment\0Hallstatt')), chunk('iTXt', latin1('Place\0\0\0\0\0Hallstatt, 47.5622'))]
  // After the signature and IHDR.
  return Buffer.concat([bytes.subarray(0, 33), ...texts, bytes.subarray(33), latin1('13.6493')])
}

/** With the place in two boxes of `moov`, one of XMP, and a track of telemetry as of a GoPro. */
async function film(wide: boolean): Promise<Uint8Array> {
  const plain = Buffer.from(await fixture('films/phone.mp4'))
  const at = plain.lastIndexOf('moov') - 4
  const samples = Array.from({ length: 5 }, (_, nth) => latin1(`GPS5 47.5622 13.6493 ${nth}`))
  const flags = numbers(0)
  const start = at + (wide ? 16 : 8)
  const offset = numbers(start)
  const tables = [
    box('stsd', flags, numbers(1), box('gpmd', Buffer.alloc(8))),
    box('stts', flags, numbers(1, samples.length, 1000)),
    box('stsc', flags, numbers(1, 1, samples.length, 1)),
    box('stsz', flags, numbers(0, samples.length, ...samples.map(({ length }) => length))),
    wide ? box('co64', flags, numbers(1, 0), offset) : box('stco', flags, numbers(1), offset),
  ]
  const media = box('minf', box('nmhd', flags), box('stbl', ...tables))
  const handler = box('hdlr', flags, flags, latin1('meta'), Buffer.alloc(13))
  const track = box('trak', box('tkhd', Buffer.alloc(84)), box('mdia', box('mdhd', Buffer.alloc(24)), handler, media))
  const place = latin1('+47.5622+013.6493/')
  const titles = box('udta', box('\xa9xyz', Buffer.from([0, place.length, 0x15, 0xc7]), place), box('GPS0', latin1('Hallstatt')))
  const moov = box('moov', plain.subarray(at + 8), track, titles)
  const telemetry = Buffer.concat(samples)
  const content = wide
    ? Buffer.concat([numbers(1), latin1('mdat'), numbers(0, telemetry.length + 16), telemetry])
    : box('mdat', telemetry, latin1('Hallstatt'))
  const xmp = box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), latin1(PLACED_XMP.replace(/[^\x20-\x7e\n]/g, '')))
  return Buffer.concat([plain.subarray(0, at), content, moov, xmp, latin1('Insta360 47.5622 13.6493 Hallstatt')])
}

/** With a comment, and XMP as Photoshop writes it, which readers skip with a ramp of bytes. */
async function gif(): Promise<Uint8Array> {
  const bytes = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#36c' } })
    .gif()
    .toBuffer()
  const colors = 13 + ((bytes[10] ?? 0) & 0x80 ? 3 * 2 ** (((bytes[10] ?? 0) & 7) + 1) : 0)
  const comment = latin1('\x21\xfe\x09Hallstatt\0')
  const ramp = Buffer.from([1, ...Array.from({ length: 256 }, (_, nth) => 255 - nth), 0])
  const xmp = Buffer.concat([latin1('\x21\xff\x0bXMP DataXMP'), Buffer.from(PLACED_XMP, 'utf8'), ramp])
  return Buffer.concat([bytes.subarray(0, colors), comment, xmp, bytes.subarray(colors), latin1('Hallstatt')])
}

/** Of each kind that can be cleaned. */
export async function placedFiles(): Promise<PlacedFile[]> {
  const file = (name: string, type: string, bytes: Uint8Array): PlacedFile => ({ name, type, bytes: new Uint8Array(bytes) })
  return [
    file('motion.jpg', 'image/jpeg', await jpeg()),
    file('screen.png', 'image/png', await png()),
    file('photo.webp', 'image/webp', await picture(100).webp().toBuffer()),
    file('photo.avif', 'image/avif', await picture(140).avif().toBuffer()),
    file('phone.heic', 'image/heic', await fixture('photos/place.heic')),
    file('moving.gif', 'image/gif', await gif()),
    file('telemetry.mp4', 'video/mp4', await film(false)),
    file('large.mp4', 'video/mp4', await film(true)),
    file('phone.mov', 'video/quicktime', await fixture('films/location.mov')),
    file('keys.mov', 'video/quicktime', await fixture('films/iphone.mov')),
    file('phone.3gp', 'video/3gpp', await fixture('films/location.3gp')),
    file('film.mkv', 'video/x-matroska', await fixture('films/vp9.mkv')),
  ]
}
