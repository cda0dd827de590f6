import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Miniflare } from 'miniflare'
import { bucketsOf, readWranglerConfig } from '../wrangler-config.ts'
import { type Manifest, OBJECT_LIST, readObjectList, type StoredObject, sha256OfFile } from './manifest.ts'

/** Bytes. Larger objects are copied in parts, so that none has to fit into memory. */
const PART = 32 * 1024 * 1024
const IDLE = 'export default { fetch: () => new Response() }'

export type Bucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>

/** Opens the local bucket without the worker: no sweep runs while it is copied. */
export async function withBucket<T>(storage: string, work: (bucket: Bucket) => Promise<T>): Promise<T> {
  const wrangler = await readWranglerConfig()
  const { name, compatibility_date } = wrangler
  const manifest = { mainModule: 'idle.js', modulesRoot: '/', modules: { 'idle.js': { type: 'esm' as const, contents: IDLE } } }
  const miniflare = new Miniflare({
    ...{ cf: false, resourcePersistencePath: storage, telemetry: { enabled: false } },
    workers: [{ config: { name, compatibilityDate: compatibility_date, manifest, env: bucketsOf(wrangler) } }],
  })
  try {
    return await work(await miniflare.getR2Bucket('FILES'))
  } finally {
    await miniflare.dispose()
  }
}

/** Saves objects by their hash, so that duplicates are saved once. Keys and metadata go into a list. */
export async function saveObjects(bucket: Bucket, folder: string): Promise<NonNullable<Manifest['objects']>> {
  await mkdir(path.join(folder, 'objects'), { recursive: true })
  const list: StoredObject[] = []
  let cursor: string | undefined
  do {
    const page = await bucket.list(cursor ? { cursor } : {})
    for (const { key } of page.objects) {
      const saved = await saveObject(bucket, key, folder)
      if (saved) list.push(saved)
    }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor)
  const file = path.join(folder, OBJECT_LIST)
  await writeFile(file, list.map((object) => `${JSON.stringify(object)}\n`).join(''), { mode: 0o600 })
  return { count: list.length, bytes: list.reduce((sum, { size }) => sum + size, 0), sha256: await sha256OfFile(file) }
}

async function saveObject(bucket: Bucket, key: string, folder: string): Promise<StoredObject | null> {
  const object = await bucket.get(key)
  if (!object) return null
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const draft = path.join(folder, 'objects', randomUUID())
  // The types of the platform's stream and of Node's differ; both iterate over bytes.
  await pipeline(object.body as unknown as AsyncIterable<Uint8Array>, hashed, createWriteStream(draft, { mode: 0o600 }))
  const sha256 = hash.digest('hex')
  await rename(draft, path.join(folder, 'objects', sha256))
  const { cacheExpiry, ...httpMetadata } = object.httpMetadata ?? {}
  return { key, size: object.size, sha256, httpMetadata, customMetadata: object.customMetadata ?? {} }
}

export async function restoreObjects(bucket: Bucket, folder: string): Promise<void> {
  for (const object of await readObjectList(folder)) await restoreObject(bucket, object, path.join(folder, 'objects', object.sha256))
}

async function restoreObject(
  bucket: Bucket,
  { key, size, sha256, httpMetadata, customMetadata }: StoredObject,
  file: string,
): Promise<void> {
  const metadata = { httpMetadata, customMetadata }
  const handle = await open(file)
  try {
    const read = async (position: number) => {
      const bytes = new Uint8Array(Math.min(PART, size - position))
      await handle.read(bytes, 0, bytes.length, position)
      return bytes
    }
    if (size <= PART) {
      await bucket.put(key, await read(0), { ...metadata, sha256 })
      return
    }
    const upload = await bucket.createMultipartUpload(key, metadata)
    const parts = []
    for (let at = 0; at < size; at += PART) parts.push(await upload.uploadPart(parts.length + 1, await read(at)))
    await upload.complete(parts)
  } finally {
    await handle.close()
  }
}
