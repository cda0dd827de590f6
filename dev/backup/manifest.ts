import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { SetupError } from '../setup-error.ts'

/** `backup.json`, written last: a folder without it is not a backup. */
export const Manifest = z.object({
  format: z.literal(1),
  release: z.string(),
  taken: z.string(),
  /** The last migration of the database. */
  schema: z.object({ when: z.number(), tag: z.string() }),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      file: z.string(),
      rows: z.number(),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  /** Null if the objects were not saved. */
  objects: z.object({ count: z.number(), bytes: z.number(), sha256: z.string() }).nullable(),
})
export type Manifest = z.infer<typeof Manifest>

/** One line of `objects.ndjson`; the bytes are in `objects/<sha256>`. */
export const StoredObject = z.object({
  key: z.string(),
  size: z.number(),
  sha256: z.string(),
  httpMetadata: z.record(z.string(), z.string()),
  customMetadata: z.record(z.string(), z.string()),
})
export type StoredObject = z.infer<typeof StoredObject>

export const OBJECT_LIST = 'objects.ndjson'

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'backup.json'), 'utf8').catch(() => {
    throw new SetupError(`${folder} holds no finished backup: backup.json is missing.`)
  })
  const manifest = Manifest.safeParse(JSON.parse(text))
  if (!manifest.success) throw new SetupError(`${folder} is a backup that this Cairn cannot read: ${z.prettifyError(manifest.error)}`)
  return manifest.data
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Checks all of a backup before anything is restored. */
export async function verifyBackup(folder: string, { tables, objects }: Manifest): Promise<void> {
  for (const { file, sha256 } of tables) await verify(folder, file, sha256)
  if (!objects) return
  await verify(folder, OBJECT_LIST, objects.sha256)
  for (const { sha256 } of await readObjectList(folder)) await verify(folder, path.join('objects', sha256), sha256)
}

async function verify(folder: string, file: string, sha256: string): Promise<void> {
  const found = await sha256OfFile(path.join(folder, file)).catch(() => null)
  if (found !== sha256) throw new SetupError(`${file} of the backup is ${found ? 'damaged' : 'missing'}. Nothing was restored.`)
}

export async function readObjectList(folder: string): Promise<StoredObject[]> {
  const text = await readFile(path.join(folder, OBJECT_LIST), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => StoredObject.parse(JSON.parse(line)))
}
