import { hex } from '../../contract/bytes.ts'
import { MEASURED_BYTES } from './measure-original.ts'
import { originalKey, withStorage } from './storage.ts'

/** A stored original: `sha256` in hex, `start` the first bytes. */
export interface Inspected {
  size: number
  sha256: string
  start: Uint8Array
}

/** Reads size, digest and first bytes of the stored original, or null if there is none. Streams large files once through a digest. */
export function inspectOriginal(bucket: R2Bucket, id: string): Promise<Inspected | null> {
  return withStorage(async () => {
    const object = await bucket.get(originalKey(id), { range: { offset: 0, length: MEASURED_BYTES } })
    if (!object) return null
    const start = new Uint8Array(await object.arrayBuffer())
    const { sha256 } = object.checksums
    return { size: object.size, start, sha256: sha256 ? hex(sha256) : await digestOf(bucket, id) }
  })
}

async function digestOf(bucket: R2Bucket, id: string): Promise<string> {
  const object = await bucket.get(originalKey(id))
  if (!object) return ''
  const stream = new crypto.DigestStream('SHA-256')
  await object.body.pipeTo(stream)
  return hex(await stream.digest)
}
