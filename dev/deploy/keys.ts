import { randomBytes } from 'node:crypto'
import { newVapidKeys } from '../secrets.ts'

/** Lines for .env.deploy with every key that a site makes for itself, new each time. */
export function newKeys(): string {
  const { publicKey, privateKey } = newVapidKeys()
  const keys = {
    SESSION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LIVE_KEY: randomBytes(32).toString('base64'),
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  }
  return Object.entries(keys)
    .map(([name, key]) => `${name}=${key}`)
    .join('\n')
}
