import path from 'node:path'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import type { Client } from '../../dev/http-client.ts'
import { sendWhole } from './files.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

/** A demo picture in some width, as a JPEG. */
export const pictureBytes = (picture: string, width: number) =>
  sharp(path.join(PICTURES, `${picture}.jpg`))
    .resize(width)
    .jpeg()
    .toBuffer()

/** Uploads a demo picture in some width, as a browser would, with its renditions. `more.name` makes another file of it. */
export async function uploadPicture(actor: Client, picture: string, width: number, more: Partial<NewAsset> = {}): Promise<Asset> {
  const source = sharp(path.join(PICTURES, `${picture}.jpg`)).resize(width)
  const { data, info } = await source.clone().jpeg().toBuffer({ resolveWithObject: true })
  const small = await sharp(data).resize(100, 100, { fit: 'inside' }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const name = more.name ?? `${picture}-${width}.jpg`
  const { status, body } = await sendWhole(actor, new Uint8Array(Buffer.concat([data, Buffer.from(name)])), {
    asset: {
      name,
      width: info.width,
      height: info.height,
      thumbhash: Buffer.from(rgbaToThumbHash(small.info.width, small.info.height, small.data)).toString('base64'),
      ...more,
    },
    thumb: await sharp(data).resize(512, 512, { fit: 'inside', withoutEnlargement: true }).webp().toBuffer(),
    preview: await sharp(data).resize(2048, 2048, { fit: 'inside', withoutEnlargement: true }).webp().toBuffer(),
  })
  if (status !== 201) throw new Error(`The picture was refused: ${status} ${JSON.stringify(body)}`)
  return body.asset
}
