import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { sha256, upload } from '../support/files.ts'
import { objectsOf } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const opened = async (id: string) => (await w.as('ada').get(`/api/asset/${id}/file`)).headers

describe('a file that is valid as several types', () => {
  test('A PDF with JavaScript is served as a PDF in a sandbox', async () => {
    const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert("${newId()}"))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`
    const headers = await opened((await upload(w.as('ada'), bytesOf(pdf), { name: 'a.pdf', type: 'application/pdf' })).id)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test.each([
    ['a GIF that is a script', () => `GIF89a/*${'\0'.repeat(8)}*/=1;alert("${newId()}")`],
    ['a JPEG with HTML in its comment', () => `\xff\xd8\xff\xfe\x00\x40<html><script>alert("${newId()}")</script>\xff\xd9`],
    ['a PNG that ends as an archive', () => `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${newId()}PK\x03\x04`],
    ['a PDF that begins as an image', () => `BM%PDF-1.4 ${newId()} <script>alert(1)</script>`],
  ])('%s: it is served sandboxed with a safe type, and no page may load it as a script', async (_what, make) => {
    const headers = await opened((await upload(w.as('ada'), bytesOf(make()), { name: 'a.js', type: 'text/javascript' })).id)
    expect(headers.get('content-type')).not.toMatch(/javascript|html|xml/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

describe('a photo with invalid EXIF', () => {
  const photo = () =>
    sharp({ create: { width: 64, height: 48, channels: 3, background: '#c60', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
      .withExif({
        IFD0: { DateTime: '0000:00:00 99:99:99', Make: 'SECRET-MAKE' },
        IFD2: { DateTimeOriginal: 'yesterday', BodySerialNumber: 'SECRET-SERIAL' },
        IFD3: { GPSLatitude: '0/0 0/0 0/0', GPSLatitudeRef: 'N', GPSLongitude: '0/0 0/0 0/0', GPSLongitudeRef: 'E' },
      })
      .jpeg()
      .toBuffer()

  /** Inserts segments of the largest size after the first two bytes: ten megabytes by default. */
  const swollen = async (segments = 160) => {
    const jpeg = await photo()
    const segment = Buffer.concat([
      Buffer.from([0xff, 0xe1, 0xff, 0xff]),
      Buffer.from('Exif\0\0SECRET-NOISE'),
      Buffer.alloc(65_533 - 18, 0x41),
    ])
    return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(segments).fill(segment), jpeg.subarray(2)]))
  }

  test('A photo with invalid EXIF is stored unchanged without date and location, and its renditions have no metadata', async () => {
    for (const bytes of [new Uint8Array(await photo()), await swollen()]) {
      const asset = await upload(w.as('ada'), bytes)
      expect(asset).toMatchObject({ type: 'image/jpeg', date: null, date_precision: 'unknown', location: null })
      expect(sha256((await w.as('ada').get(`/api/asset/${asset.id}/file`)).bytes)).toBe(sha256(bytes))
      const small = await w.as('ada').get(`/_image/w_32,f_jpeg/${asset.id}?v=${asset.version}`)
      expect(small.status).toBe(200)
      expect(Buffer.from(small.bytes).toString('latin1')).not.toMatch(/SECRET|Exif/)
    }
  })

  test('A photo with oversized EXIF is refused as a thumb, and a smaller one is stored without EXIF', async () => {
    const asset = await upload(w.as('ada'), new Uint8Array(await photo()))
    const thumb = `/api/asset/${asset.id}/renditions/thumb`
    // Beyond the limit for all bodies the connection would be closed.
    expect((await w.as('ada').put(thumb, await swollen(40))).status).toBe(413)
    expect(await objectsOf(asset.id)).toEqual([`assets/${asset.id}/original`])
    expect((await w.as('ada').put(thumb, new Uint8Array(await photo()))).status).toBe(200)
    expect(Buffer.from((await w.as('ada').get(thumb)).bytes).toString('latin1')).not.toMatch(/SECRET|Exif/)
  })
})
