import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { errorCode, SetupError } from './setup-error.ts'

const StoredSecrets = z.object({
  /** Keys of the session cookie, `kid:base64`, newest first; older keys still open cookies. */
  sessionKeys: z.string(),
  /** Signs the tickets of live rooms. */
  liveKey: z.string(),
  authSecret: z.string(),
  postgresPassword: z.string(),
  /** Signs notifications. Missing in state folders of an earlier version. */
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }).optional(),
})
type StoredSecrets = z.infer<typeof StoredSecrets>
export type Secrets = StoredSecrets & { vapid: NonNullable<StoredSecrets['vapid']> }

/** Generated once per state folder, so that sessions and the database survive a restart. */
export async function loadSecrets(dir: string): Promise<Secrets> {
  const file = path.join(dir, 'secrets.json')
  const { vapid = newVapidKeys(), ...stored } = (await readSecrets(file)) ?? newSecrets()
  const secrets = { ...stored, vapid }
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}

/** Null if there are none yet. */
async function readSecrets(file: string): Promise<StoredSecrets | null> {
  try {
    return StoredSecrets.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new SetupError(`${file} cannot be read: put its old content back, or start empty with "npm start -- --reset".`)
  }
}

function newSecrets(): StoredSecrets {
  return {
    // A site on https refuses keys with this prefix (worker/settings.ts).
    sessionKeys: `local1:${randomBytes(32).toString('base64')}`,
    liveKey: `local1:${randomBytes(32).toString('base64')}`,
    authSecret: randomBytes(32).toString('base64'),
    postgresPassword: randomBytes(24).toString('base64url'),
  }
}

/** In the format of `web-push generate-vapid-keys`. */
export function newVapidKeys(): Secrets['vapid'] {
  const { d = '', x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey: d }
}
