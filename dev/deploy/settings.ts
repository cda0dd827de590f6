import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { settingProblems as problemsOf } from '../../worker/settings.ts'
import { errorCode } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'

/** Settings of a deployment from a developer's machine; in CI the same names come from the environment. */
const SETTINGS_FILE = path.join(PROJECT, '.env.deploy')

interface Setting {
  name: string
  /** Without it the worker does not start. */
  required?: true
  how: string
}

const KEYS = '"npm run --silent deploy -- --keys" prints'

/**
 * Everything that differs between deployments. Each is a secret of the worker, except `AUTH_PROVIDER`, which is a variable: see
 * wrangler.toml.
 */
export const SETTINGS: readonly Setting[] = [
  { name: 'APP_ORIGIN', required: true, how: 'the address of the site, such as https://cairn.example.org' },
  { name: 'DATABASE_URL', required: true, how: "the connection string that Connect shows in Neon's console" },
  { name: 'AUTH_URL', required: true, how: "the Auth URL of Neon's console: Auth, Configuration; for oidc the issuer" },
  { name: 'SESSION_KEYS', required: true, how: `as ${KEYS} them` },
  { name: 'LIVE_KEY', required: true, how: `as ${KEYS} it` },
  { name: 'AUTH_ISSUER', how: 'only where tokens name another issuer than the origin of AUTH_URL' },
  { name: 'AUTH_AUDIENCE', how: 'only where tokens name another audience than the origin of AUTH_URL' },
  { name: 'AUTH_CLIENT_ID', how: 'for oidc: what the sign-in service calls this site' },
  { name: 'AUTH_CLIENT_SECRET', how: 'for oidc: its secret, unless the client is public' },
  { name: 'AUTH_SCOPES', how: 'for oidc: such as "openid email profile"' },
  { name: 'PARTY_HOST', how: 'where rooms live on PartyKit: the origin that "partykit deploy" printed' },
  { name: 'PARTY_PUBLISH_KEY', how: 'for PARTY_HOST: as "npm run --silent deploy -- --keys party" prints it' },
  { name: 'PUSH_SERVICES', how: 'hosts of push services beside those of Chrome, Firefox, Safari and Edge, separated by blanks' },
  { name: 'SECURITY_CONTACT', how: 'whom to tell about a weakness: mailto: or https:, for /.well-known/security.txt' },
  { name: 'MAIL_URL', how: 'an HTTP mail service, so that invited people are written to' },
  { name: 'MAIL_KEY', how: 'the key of that service' },
  { name: 'MAIL_FROM', how: 'whom it may send as, such as Cairn <cairn@example.org>' },
  { name: 'MAIL_FORMAT', how: 'resend or postmark, where it is one of them' },
  { name: 'MAIL_IN_DOMAIN', how: 'a domain whose mail Cloudflare gives to the worker, for posts by mail' },
  { name: 'MAP_STYLE_URL', how: 'a hosted MapLibre style' },
  { name: 'MAP_STYLE_URL_DARK', how: 'one for dark screens' },
  { name: 'MAP_HOSTS', how: 'the other origins that the style loads from' },
  { name: 'MAP_TILES', how: 'the key of a PMTiles archive in the bucket' },
  { name: 'IMAGE_PROVIDER', how: 'cdn or delivery, where this app is not to make pictures smaller' },
  { name: 'IMAGE_DELIVERY', how: 'for delivery: where the service takes options and address' },
  { name: 'ANALYTICS_KEY', how: 'the token of a PostHog project, phc_…' },
  { name: 'ANALYTICS_HOST', how: 'its host, where it is not https://eu.i.posthog.com' },
  { name: 'VAPID_PUBLIC_KEY', how: `for notifications: as ${KEYS} it` },
  { name: 'VAPID_PRIVATE_KEY', how: 'the other half of it' },
  { name: 'VAPID_SUBJECT', how: 'mailto: or https: address of whoever runs the site, for push services' },
]

/** Settings by name. The environment overrides the file; empty values count as not set. */
export async function readSettings(file = SETTINGS_FILE, env: NodeJS.ProcessEnv = process.env): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const given = { ...parseEnv(text), ...env }
  const names = ['AUTH_PROVIDER', ...SETTINGS.map(({ name }) => name)]
  return Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))
}

/**
 * Reasons why a deployment could not run, one sentence each. `stored` names settings that the platform already has: they cannot be read back,
 * were checked when they were set, and are checked by the worker at its start.
 */
export function settingProblems(settings: Record<string, string>, stored: ReadonlySet<string> = new Set()): string[] {
  const missing = SETTINGS.filter(({ name, required }) => required && !settings[name] && !stored.has(name))
  // Missing settings have their own sentences, which say where to get them.
  const apart = new Set([...stored, ...missing.map(({ name }) => name)])
  return [...missing.map(({ name, how }) => `${name} is missing: ${how}`), ...problemsOf(settings, apart)]
}
