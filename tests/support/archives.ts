import { gzipSync } from 'node:zlib'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { Archive } from '../../contract/archive.ts'

/** The files of a ZIP by path, as another program reads it. */
export class Unzipped {
  readonly files: Record<string, Uint8Array>

  constructor(bytes: Uint8Array) {
    this.files = unzipSync(bytes)
  }

  get names(): string[] {
    return Object.keys(this.files)
  }

  text(name: string): string {
    const bytes = this.files[name]
    if (!bytes) throw new Error(`There is no ${name} in the archive`)
    return strFromU8(bytes)
  }

  get archive(): Archive {
    return Archive.parse(JSON.parse(this.text('collection.json')))
  }
}

/** Files of a fixture by path. */
export type Packed = Record<string, Uint8Array | string | object>

/** A ZIP as other programs write it: photos stored, text deflated. Objects become JSON. */
export function zipOf(files: Packed, { level }: { level?: 0 | 6 } = {}): Uint8Array<ArrayBuffer> {
  const entries: Zippable = {}
  for (const [name, content] of Object.entries(files)) {
    const bytes = content instanceof Uint8Array ? content : strToU8(typeof content === 'string' ? content : JSON.stringify(content))
    entries[name] = [bytes, { level: level ?? (content instanceof Uint8Array ? 0 : 6) }]
  }
  return new Uint8Array(zipSync(entries))
}

/** A `.tgz` as Takeout offers it, with pax headers for names that are long or not ASCII. `type` is that of all entries: `0` for files, `2` for links. */
export function tgzOf(files: Packed, { type = '0' }: { type?: string } = {}): Uint8Array<ArrayBuffer> {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = content instanceof Uint8Array ? content : strToU8(typeof content === 'string' ? content : JSON.stringify(content))
    if (/^[ -~]{1,99}$/.test(name)) return tarEntry(name, bytes, type)
    const field = ` path=${name}\n`
    const length = strToU8(field).length + 3
    return [
      ...tarEntry('PaxHeader', strToU8(`${length}${field}`), 'x'),
      ...tarEntry(name.replace(/[^ -~]/g, '_').slice(0, 99), bytes, type),
    ]
  })
  return new Uint8Array(gzipSync(Buffer.concat([...blocks, new Uint8Array(1024)])))
}

function tarEntry(name: string, bytes: Uint8Array, type: string): Uint8Array[] {
  const header = Buffer.alloc(512)
  const octal = (number: number, digits: number) => `${number.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(bytes.length, 11), 124)
  header.write(octal(1_559_992_800, 11), 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\0' + '00', 257)
  header.write(
    octal(
      header.reduce((sum: number, byte: number) => sum + byte, 0),
      6,
    ),
    148,
  )
  return [header, bytes, new Uint8Array((512 - (bytes.length % 512)) % 512)]
}

/** The JSON that Google Takeout writes beside `IMG.jpg`. */
export function takeoutSidecar(title: string, more: object = {}) {
  const none = { latitude: 0, longitude: 0, altitude: 0, latitudeSpan: 0, longitudeSpan: 0 }
  return {
    title,
    description: '',
    imageViews: '3',
    creationTime: { timestamp: '1560000000', formatted: '8 Jun 2019, 13:20:00 UTC' },
    photoTakenTime: { timestamp: '1559992800', formatted: '8 Jun 2019, 11:20:00 UTC' },
    geoData: none,
    geoDataExif: none,
    url: 'https://photos.google.com/photo/x',
    googlePhotosOrigin: { mobileUpload: { deviceType: 'ANDROID_PHONE' } },
    ...more,
  }
}

/** An entry as Day One exports it. */
export function dayOneEntry(text: string, more: object = {}) {
  return {
    uuid: 'B4C0F3A2D1E84B0F9C6A7E5D3B2A1908',
    creationDate: '2023-08-14T16:05:00Z',
    modifiedDate: '2023-08-14T16:30:00Z',
    timeZone: 'Asia/Tokyo',
    isAllDay: false,
    starred: false,
    creationDevice: 'iPhone',
    text,
    richText: '{}',
    ...more,
  }
}

/** As exiftool and Immich write it. */
export const xmpOf = (fields: string) => `<?xpacket begin='\ufeff' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.70'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
${fields}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end='w'?>`
