import { z } from 'zod'

/** Settings of a deployment: secrets and variables of the worker. */
export interface Settings {
  APP_ORIGIN: string
  DATABASE_URL: string
  /** host:port of a local Neon endpoint; empty if the database is Neon itself. */
  NEON_PROXY?: string
  AUTH_PROVIDER?: string
  AUTH_URL: string
  /** Default to the origin of AUTH_URL; for `oidc` the issuer defaults to AUTH_URL itself. */
  AUTH_ISSUER?: string
  AUTH_AUDIENCE?: string
  /** For `oidc`: our client at the service. Without a secret it is a public client. */
  AUTH_CLIENT_ID?: string
  AUTH_CLIENT_SECRET?: string
  /** Separated by blanks; must include `openid`. */
  AUTH_SCOPES?: string
  /** `kid:base64,kid:base64`, 32 bytes each, newest first. */
  SESSION_KEYS: string
  /** base64, 32 bytes: signs live tickets. */
  LIVE_KEY: string
  /** Origin of a PartyKit host for the live rooms; without it they are Durable Objects of this worker. */
  PARTY_HOST?: string
  /** base64, 32 bytes: signs publications to that host. */
  PARTY_PUBLISH_KEY?: string
  /** An HTTP mail service; without it, no mails are sent. */
  MAIL_URL?: string
  MAIL_KEY?: string
  /** Sender, as `Name <address>`. */
  MAIL_FROM?: string
  /** Request format of the service: `resend`, `postmark`, or `{from, to, subject, text, html, link}` if empty. */
  MAIL_FORMAT?: string
  /** A MapLibre style for the map, one for dark mode if it differs, and the other origins that the style loads from, separated by blanks. */
  MAP_STYLE_URL?: string
  MAP_STYLE_URL_DARK?: string
  MAP_HOSTS?: string
  /** Key of a PMTiles archive in FILES, in the Protomaps basemap schema. Without it and a style, the app shows its built-in map. */
  MAP_TILES?: string
  /** base64url, in the format of `npx web-push generate-vapid-keys`: they sign notifications. Without both, none are sent. */
  VAPID_PUBLIC_KEY?: string
  VAPID_PRIVATE_KEY?: string
  /** Contact for push services, `mailto:…` or an https URL; APP_ORIGIN if empty. */
  VAPID_SUBJECT?: string
  /** A PostHog project's token, and its host. Without the token there are no analytics. */
  ANALYTICS_KEY?: string
  ANALYTICS_HOST?: string
  /** Image provider: `local` (this app), `cdn` (Cloudflare in front of it) or `delivery` (a service at IMAGE_DELIVERY that fetches originals). */
  IMAGE_PROVIDER?: string
  IMAGE_DELIVERY?: string
  /** base64, 32 bytes: only on previews, which have no cron and catch their mail. Opens the calls below /_preview, which others do not have. */
  PREVIEW_KEY?: string
  /** Multiplies the rate limits, for tests, which sign in far more often than a person. */
  RATE_LIMIT_FACTOR?: string
}

const httpsOrEmpty = (name: string) =>
  z
    .string()
    .regex(/^$|^https:\/\/[\x21-\x7e]+$/, `${name} starts with https:`)
    .optional()

const ValidSettings = z.object({
  APP_ORIGIN: z.url('APP_ORIGIN is the address of the site, such as https://cairn.example.org'),
  DATABASE_URL: z
    .string('DATABASE_URL is missing')
    .regex(/^postgres(ql)?:\/\//, "DATABASE_URL is Neon's connection string, postgresql://…"),
  AUTH_PROVIDER: z.enum(['better-auth', 'oidc', ''], 'AUTH_PROVIDER is better-auth or oidc').optional(),
  AUTH_URL: z.url('AUTH_URL is the address of the sign-in service'),
  AUTH_SCOPES: z
    .string()
    .regex(/^$|^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'AUTH_SCOPES is a list of scopes, separated by blanks')
    .optional(),
  SESSION_KEYS: z
    .string('SESSION_KEYS is missing: kid:base64 of 32 bytes')
    .regex(/^[\w-]+:[\w+/=-]{43,44}(,[\w-]+:[\w+/=-]{43,44})*$/, 'SESSION_KEYS is kid:base64 of 32 bytes, newest first'),
  LIVE_KEY: z.string('LIVE_KEY is missing: base64 of 32 bytes').min(43, 'LIVE_KEY is base64 of 32 bytes'),
  MAP_STYLE_URL: httpsOrEmpty('MAP_STYLE_URL'),
  MAP_STYLE_URL_DARK: httpsOrEmpty('MAP_STYLE_URL_DARK'),
  MAP_HOSTS: z
    .string()
    .regex(/^$|^https:\/\/[\w.*-]+(:\d+)?( https:\/\/[\w.*-]+(:\d+)?)*$/, 'MAP_HOSTS is a list of https origins, separated by blanks')
    .optional(),
  MAIL_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })], 'MAIL_URL is the address that the mail service takes mails at')
    .optional(),
  MAIL_FORMAT: z.enum(['resend', 'postmark', ''], 'MAIL_FORMAT is resend or postmark').optional(),
  IMAGE_PROVIDER: z.enum(['local', 'cdn', 'delivery', ''], 'IMAGE_PROVIDER is local, cdn or delivery').optional(),
  IMAGE_DELIVERY: z
    .string()
    .regex(/^$|^https:\/\/[\w.-]+(:\d+)?(\/[\w.~/-]*[\w.~-])?$/, 'IMAGE_DELIVERY is an address on https without a slash at its end')
    .optional(),
  ANALYTICS_KEY: z
    .string()
    .regex(/^[\w-]*$/, 'ANALYTICS_KEY is the token of a project, such as phc_…')
    .optional(),
  ANALYTICS_HOST: z
    .string()
    .regex(/^$|^https?:\/\/[\w.-]+(:\d+)?$/, 'ANALYTICS_HOST is an origin, such as https://eu.i.posthog.com')
    .optional(),
  PREVIEW_KEY: z
    .string()
    .regex(/^$|^[\w+/=-]{43,44}$/, 'PREVIEW_KEY is base64 of 32 bytes')
    .optional(),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^$|^B[\w-]{86}$/, 'VAPID_PUBLIC_KEY is base64url of 65 bytes')
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^$|^[\w-]{43}$/, 'VAPID_PRIVATE_KEY is base64url of 32 bytes')
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^$|^(mailto:|https:\/\/)\S+$/, 'VAPID_SUBJECT starts with mailto: or https:')
    .optional(),
})

/** Prefix of keys from dev/secrets.ts, which are in files on a developer's machine and must not protect a real site. */
const LOCAL_KEY = /(^|,)local1:/

/**
 * Throws an Error for settings that cannot work or are unsafe. It names the variable and the expected value.
 * A site on https must not use a loopback sign-in service or the development keys.
 */
export function checkSettings(env: Settings): void {
  const result = ValidSettings.safeParse(env)
  if (!result.success) throw new Error(`Check the settings: ${z.prettifyError(result.error)}`)
  if (env.AUTH_PROVIDER === 'oidc') checkOidc(env)
  if (env.PARTY_HOST) checkPartyHost(env, env.PARTY_HOST)
  if (!env.VAPID_PUBLIC_KEY !== !env.VAPID_PRIVATE_KEY)
    throw new Error('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both, or neither')
  if (env.MAIL_URL && env.MAIL_FORMAT && !(env.MAIL_FROM && env.MAIL_KEY))
    throw new Error('MAIL_FROM and MAIL_KEY are missing: who mails are from, and the key of the mail service')
  if (env.IMAGE_PROVIDER === 'delivery' && !env.IMAGE_DELIVERY)
    throw new Error('IMAGE_DELIVERY is missing: the address of the service that fetches pictures')
  if (!env.APP_ORIGIN.startsWith('https:')) return
  const auth = new URL(env.AUTH_URL)
  if (/^(localhost|127\..*|0\.0\.0\.0|\[::1?\])$|\.localhost$/.test(auth.hostname)) {
    throw new Error('AUTH_URL is a loopback address. Set it to your sign-in service')
  }
  if (auth.protocol !== 'https:') throw new Error('AUTH_URL must start with https: passwords travel there')
  if (env.MAIL_URL?.startsWith('http:')) throw new Error('MAIL_URL must start with https: addresses and names travel there')
  if (env.ANALYTICS_HOST?.startsWith('http:')) throw new Error('ANALYTICS_HOST must start with https: names and addresses travel there')
  for (const name of ['SESSION_KEYS', 'LIVE_KEY'] as const) {
    if (LOCAL_KEY.test(env[name])) throw new Error(`${name} is a key of a developer's machine. Make one of your own`)
  }
}

function checkPartyHost({ APP_ORIGIN, LIVE_KEY, PARTY_PUBLISH_KEY = '' }: Settings, host: string): void {
  if (!URL.canParse(host) || new URL(host).origin !== host)
    throw new Error('PARTY_HOST is an origin, such as https://cairn.example.partykit.dev')
  if (APP_ORIGIN.startsWith('https:') && !host.startsWith('https:'))
    throw new Error('PARTY_HOST must start with https: tickets travel there')
  if (PARTY_PUBLISH_KEY.length < 43) throw new Error('PARTY_PUBLISH_KEY is base64 of 32 bytes')
  if (PARTY_PUBLISH_KEY === LIVE_KEY) throw new Error('PARTY_PUBLISH_KEY and LIVE_KEY must differ')
}

function checkOidc(env: Settings): void {
  if (!env.AUTH_CLIENT_ID) throw new Error('AUTH_CLIENT_ID is missing: your sign-in service gives it to you')
  if (env.AUTH_ISSUER && !URL.canParse(env.AUTH_ISSUER)) throw new Error('AUTH_ISSUER must be the address that the service calls itself by')
  if (env.AUTH_SCOPES && !env.AUTH_SCOPES.split(' ').includes('openid')) throw new Error('AUTH_SCOPES must name openid')
}
