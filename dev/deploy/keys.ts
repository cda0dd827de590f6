import { randomBytes } from 'node:crypto'
import { newVapidKeys } from '../secrets.ts'
import { SetupError } from '../setup-error.ts'

type Settings = Record<string, string | undefined>

/**
 * New lines for .env.deploy. Without `which`, all keys that a site generates for itself; for `party`, the key of a PartyKit host; for any
 * other word, a session key of that name, placed before the existing ones. Throws if an existing key would be replaced, as far as that is
 * visible: values on the platform cannot be read back.
 */
export function newKeys(settings: Settings, which?: string): string {
  if (which === undefined) return lines(unlessSet(settings, firstKeys()))
  if (which === 'party') return lines(unlessSet(settings, { PARTY_PUBLISH_KEY: newKey() }))
  return lines(sessionKeys(settings, which))
}

function unlessSet(settings: Settings, keys: Record<string, string>): Record<string, string> {
  const there = Object.keys(keys).find((name) => settings[name])
  if (there)
    throw new SetupError(
      `${there} is set already, and no key was printed. "--keys k2" puts another session key in front of the old ones; a key that is to go loses its line in .env.deploy first.`,
    )
  return keys
}

function firstKeys(): Record<string, string> {
  const { publicKey, privateKey } = newVapidKeys()
  return { SESSION_KEYS: `k1:${newKey()}`, LIVE_KEY: newKey(), VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
}

function sessionKeys({ SESSION_KEYS: older }: Settings, name: string): Record<string, string> {
  if (!/^[\w-]+$/.test(name)) throw new SetupError(`"${name}" is no name for a key: letters, digits, _ and - make one, such as k2.`)
  if (!older)
    throw new SetupError('SESSION_KEYS is not here: put those that the site has into .env.deploy first, or everybody is signed out.')
  if (older.split(',').some((key) => key.startsWith(`${name}:`)))
    throw new SetupError(`There is a ${name} already: choose another name for the new key.`)
  return { SESSION_KEYS: `${name}:${newKey()},${older}` }
}

function newKey(): string {
  return randomBytes(32).toString('base64')
}

/** Starts with a newline, because the last line of the target file may lack one. */
function lines(keys: Record<string, string>): string {
  return Object.entries(keys)
    .map(([name, key]) => `\n${name}=${key}`)
    .join('')
}
