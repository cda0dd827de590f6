import { createHash, randomBytes } from 'node:crypto'
import type { Asset, NewAsset } from '../../contract/assets.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Answer, Client } from '../../dev/http-client.ts'

export const MIB = 1024 * 1024

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Unique bytes. */
export const noise = (size: number) => new Uint8Array(randomBytes(size))

/** A unique file with the header of a JPEG. */
export function jpegLike(size = 2_000): Uint8Array {
  const bytes = noise(size)
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes
}

/** A file of 400 bytes whose type is detected from its first bytes. */
export function beginning(text: string): Uint8Array {
  const bytes = noise(400)
  bytes.set(Buffer.from(text, 'latin1'))
  return bytes
}

/** The bytes of a film as far as its type is read from them. */
export function video(size = 2_000, brand = 'isom'): Uint8Array {
  const bytes = noise(size)
  bytes.set(Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mp41`, 'latin1'))
  return bytes
}

/** A playable film. */
const film = video(200)
export const FILM = { bytes: film, checksum: sha256(film) }

/** Sends a playable film of an own video. Returns the asset with it. */
export async function sendFilm(actor: Client, id: string, bytes: Uint8Array = FILM.bytes): Promise<Asset> {
  const path = `/api/asset/${id}/renditions/film`
  const answers = [await actor.post(path, { type: 'video/mp4', size: bytes.length, checksum: sha256(bytes) })]
  for (const [i, part] of partsOf(bytes).entries()) answers.push(await actor.put(`${path}/parts/${i + 1}`, part))
  answers.push(await actor.post(`${path}/complete`))
  const refused = answers.find(({ status }) => status !== 200)
  if (refused) throw new Error(`The film was refused: ${refused.status} ${JSON.stringify(refused.body)}`)
  return answers.at(-1)?.body.asset
}

/** The metadata that a browser would declare for these bytes. */
export function declared(bytes: Uint8Array, more: Partial<NewAsset> = {}): NewAsset {
  return { name: 'photo.jpg', type: 'image/jpeg', size: bytes.length, checksum: sha256(bytes), ...more }
}

export function partsOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / LIMITS.partSize)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * LIMITS.partSize, (i + 1) * LIMITS.partSize))
}

export async function begin(actor: Client, bytes: Uint8Array, more: Partial<NewAsset> = {}): Promise<Asset> {
  const started = await actor.post('/api/asset', declared(bytes, more))
  if (started.status !== 201) throw new Error(`The upload could not begin: ${started.status} ${JSON.stringify(started.body)}`)
  return started.body.asset
}

export function sendPart(actor: Client, id: string, n: number | string, bytes: Uint8Array): Promise<Answer> {
  return actor.put(`/api/asset/${id}/parts/${n}`, bytes)
}

export async function sendParts(actor: Client, id: string, bytes: Uint8Array): Promise<void> {
  for (const [i, part] of partsOf(bytes).entries()) {
    const { status, body } = await sendPart(actor, id, i + 1, part)
    if (status !== 200) throw new Error(`Part ${i + 1} was refused: ${status} ${JSON.stringify(body)}`)
  }
}

/** Starts, sends and completes an upload. */
export async function upload(actor: Client, bytes: Uint8Array, more: Partial<NewAsset> = {}): Promise<Asset> {
  const { id } = await begin(actor, bytes, more)
  await sendParts(actor, id, bytes)
  const completed = await actor.post(`/api/asset/${id}/complete`)
  if (completed.status !== 200) throw new Error(`The upload did not complete: ${completed.status} ${JSON.stringify(completed.body)}`)
  return completed.body.asset
}

/** Sends a file whole, in one request. */
export function sendWhole(
  actor: Client,
  bytes: Uint8Array,
  { asset, ...renditions }: { asset?: unknown; thumb?: Uint8Array; preview?: Uint8Array } = {},
): Promise<Answer> {
  const form = new FormData()
  if (asset !== undefined) form.append('asset', JSON.stringify(asset))
  for (const [name, picture] of Object.entries(renditions)) form.append(name, new Blob([new Uint8Array(picture)]))
  form.append('file', new File([new Uint8Array(bytes)], 'lake.jpg', { type: 'image/jpeg' }))
  return actor.post('/api/asset', form)
}
