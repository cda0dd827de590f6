import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { newId } from '../../contract/ids.ts'
import type { Client } from '../../dev/http-client.ts'
import { answered, type Figure } from './figures.ts'

const UPLOADS = 100

/** A photo of 200 KB with both renditions: how many a second, until the thumbnail is served. In one request, and as large files are sent. */
export async function measureUploads(ada: Client, collectionId: string): Promise<Figure[]> {
  const [thumb, preview] = [await picture(512), await picture(1_600)]
  const whole = async (bytes: Uint8Array) => {
    const form = new FormData()
    form.append('asset', JSON.stringify(described(bytes, collectionId)))
    for (const [name, rendition] of Object.entries({ thumb, preview })) form.append(name, new Blob([rendition]))
    form.append('file', new File([new Uint8Array(bytes)], 'photo.jpg', { type: 'image/jpeg' }))
    return (await answered(ada.post('/api/asset', form), 201)).asset.id
  }
  const inParts = async (bytes: Uint8Array) => {
    const asset = described(bytes, collectionId)
    await answered(ada.post('/api/asset', asset), 201)
    await answered(ada.put(`/api/asset/${asset.id}/parts/1`, bytes), 200)
    for (const [name, rendition] of Object.entries({ thumb, preview }))
      await answered(ada.put(`/api/asset/${asset.id}/renditions/${name}`, rendition), 200)
    await answered(ada.post(`/api/asset/${asset.id}/complete`), 200)
    return asset.id
  }
  const figures: Figure[] = []
  for (const [what, send] of [['in one request', whole] as const, ['in parts', inParts] as const])
    for (const lanes of [1, 4]) {
      const upload = async (bytes: Uint8Array) => void (await answered(ada.get(`/api/asset/${await send(bytes)}/renditions/thumb`), 200))
      const rate = await perSecond(lanes, upload)
      figures.push({
        what: `photos of 200 KB until the thumbnail is served, ${what}, ${lanes} at a time`,
        value: `${rate.toFixed(1)} per second`,
      })
    }
  return figures
}

async function perSecond(lanes: number, upload: (bytes: Uint8Array) => Promise<void>): Promise<number> {
  const files = Array.from({ length: UPLOADS }, jpeg).values()
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const bytes of files) await upload(bytes)
    }),
  )
  return UPLOADS / ((performance.now() - begin) / 1000)
}

function described(bytes: Uint8Array, collectionId: string) {
  const id = newId()
  const checksum = createHash('sha256').update(bytes).digest('hex')
  const thumbhash = '1QcSHQRnh493V4dIh4eXh1h4kJUI'
  return { id, name: `${id}.jpg`, type: 'image/jpeg', size: bytes.length, checksum, thumbhash, collectionIds: [collectionId] }
}

/** 200 KB with the first and last bytes of a JPEG; they are never decoded. */
function jpeg(): Uint8Array {
  const bytes = randomBytes(200 * 1024)
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00], 0)
  bytes.set([0xff, 0xd9], bytes.length - 2)
  return bytes
}

async function picture(width: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = {
    create: {
      width,
      height: (width * 3) / 4,
      channels: 3 as const,
      background: 'teal',
      noise: { type: 'gaussian' as const, mean: 128, sigma: 20 },
    },
  }
  return new Uint8Array(await sharp(noise).webp({ quality: 30 }).toBuffer())
}
