import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { newVapidKeys } from '../secrets.ts'
import { type Cloud, readJsonObject, writeJsonObject } from './cloud.ts'

const Keys = z.object({
  SESSION_KEYS: z.string(),
  LIVE_KEY: z.string(),
  VAPID_PUBLIC_KEY: z.string(),
  VAPID_PRIVATE_KEY: z.string(),
  /** Opens the calls below /_preview of the worker. */
  PREVIEW_KEY: z.string(),
})
export type PreviewKeys = z.infer<typeof Keys>

const OBJECT = 'preview/keys.json'

/** The keys in the preview's bucket, or undefined. */
export async function storedKeys(cloud: Cloud, bucket: string): Promise<PreviewKeys | undefined> {
  return Keys.safeParse(await readJsonObject(cloud, bucket, OBJECT)).data
}

/**
 * The keys of a preview, made once, so that a push signs no one out. Secrets cannot be read back from Cloudflare, so they are kept in the
 * preview's own bucket and end with it.
 */
export async function ensureKeys(cloud: Cloud, bucket: string): Promise<PreviewKeys> {
  const stored = await storedKeys(cloud, bucket)
  if (stored) return stored
  const keys = newPreviewKeys()
  await writeJsonObject(cloud, bucket, OBJECT, keys)
  return keys
}

function newPreviewKeys(): PreviewKeys {
  const newKey = () => randomBytes(32).toString('base64')
  const { publicKey, privateKey } = newVapidKeys()
  return {
    SESSION_KEYS: `p1:${newKey()}`,
    LIVE_KEY: newKey(),
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    PREVIEW_KEY: newKey(),
  }
}
