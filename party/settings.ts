import { isThisMachine } from '../contract/loopback.ts'
import { keyProblem } from './keys.ts'

export interface PartySettings {
  LIVE_KEY: string
  PARTY_PUBLISH_KEY: string
}

const NAMES = ['LIVE_KEY', 'PARTY_PUBLISH_KEY'] as const

/**
 * The settings of a PartyKit host, the same secrets as the worker's, set with `partykit env add`; or a sentence that names the setting which is
 * missing or unfit. Outside this machine keys must be hard to guess and differ.
 */
export function readPartySettings(env: Record<string, unknown>, hostname: string): PartySettings | string {
  const isOutside = !isThisMachine(hostname)
  for (const name of NAMES) {
    const secret = env[name]
    if (typeof secret !== 'string' || secret === '') return `${name} is missing: base64 of 32 bytes`
    if (secret.length < 43) return `${name} is base64 of 32 bytes`
    const problem = isOutside && keyProblem(secret)
    if (problem) return `${name} ${problem}`
  }
  // Checked above.
  const { LIVE_KEY, PARTY_PUBLISH_KEY } = env as unknown as PartySettings
  if (isOutside && LIVE_KEY === PARTY_PUBLISH_KEY) return 'LIVE_KEY and PARTY_PUBLISH_KEY must differ'
  return { LIVE_KEY, PARTY_PUBLISH_KEY }
}
