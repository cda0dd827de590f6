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
