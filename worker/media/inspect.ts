import { hex } from '../../contract/bytes.ts'
import { MEASURED_BYTES } from './measure-original.ts'
import { withStorage } from './storage.ts'

/** A stored file: `sha256` in hex, `start` the first bytes. */
export interface Inspected {
  size: number
  sha256: string
  start: Uint8Array
}

/** Reads size, digest and first bytes of a stored file, or null if there is none. Streams large files once through a digest. */
export function inspectStored(bucket: R2Bucket, key: string): Promise<Inspected | null> {
  return withStorage(async () => {
    const object = await bucket.get(key, { range: { offset: 0, length: MEASURED_BYTES } })
    if (!object) return null
    const start = new Uint8Array(await object.arrayBuffer())
    const { sha256 } = object.checksums
    return { size: object.size, start, sha256: sha256 ? hex(sha256) : await digestOf(bucket, key) }
  })
}

async function digestOf(bucket: R2Bucket, key: string): Promise<string> {
  const object = await bucket.get(key)
  if (!object) return ''
  const stream = new crypto.DigestStream('SHA-256')
  await object.body.pipeTo(stream)
  return hex(await stream.digest)
}
