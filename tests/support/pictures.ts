import path from 'node:path'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import type { Client } from '../../dev/http-client.ts'
import { upload } from './files.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

/** Uploads a demo picture in some width, as a browser would but for its renditions: with size and thumbhash. `more.name` makes another file of it. */
export async function uploadPicture(actor: Client, picture: string, width: number, more: Partial<NewAsset> = {}): Promise<Asset> {
  const { data, info } = await sharp(path.join(PICTURES, `${picture}.jpg`))
    .resize(width)
    .jpeg()
    .toBuffer({ resolveWithObject: true })
  const small = await sharp(data).resize(100, 100, { fit: 'inside' }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const name = more.name ?? `${picture}-${width}.jpg`
  return upload(actor, new Uint8Array(Buffer.concat([data, Buffer.from(name)])), {
    name,
    width: info.width,
    height: info.height,
    thumbhash: Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64'),
    ...more,
  })
}
