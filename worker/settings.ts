import { z } from 'zod'
import { outsideProblems } from './settings-outside.ts'

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
  /** Domain whose mail comes to this worker (docs/deploy.md). Without it, collections take no mail. */
  MAIL_IN_DOMAIN?: string
  /** A MapLibre style for the map, one for dark mode if it differs, and the other origins that the style loads from, separated by blanks. */
  MAP_STYLE_URL?: string
  MAP_STYLE_URL_DARK?: string
  MAP_HOSTS?: string
  /** Key of a PMTiles archive in FILES, in the Protomaps basemap schema. Without it and a style, the app shows its built-in map. */
  MAP_TILES?: string
  /** base64url, in the format of `npx web-push generate-vapid-keys`: they sign notifications. Without both, none are sent. */
  VAPID_PUBLIC_KEY?: string
  VAPID_PRIVATE_KEY?: string
  /** Hosts of push services beside those of well-known browsers, separated by blanks. */
  PUSH_SERVICES?: string
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
  /** Whom to tell about a weakness of the site, or of an account that was taken over: mailto: or an https URL, in /.well-known/security.txt. Without it there is no such file. */
  SECURITY_CONTACT?: string
  /** Multiplies the rate limits, for tests, which sign in far more often than a person. */
  RATE_LIMIT_FACTOR?: string
}

/** Characters of an address. The others would begin another value in a header or a list. */
const PLAIN = /[^\s,;'"<>\\^`{|}]+/.source
const PLAIN_TEXT = new RegExp(`^${PLAIN}$`)
const WITHOUT = 'without blanks, commas, semicolons and quotes'

const address = (name: string, start: string, message: string) =>
  z
    .string(message)
    .regex(new RegExp(`^${start}${PLAIN}$`), `${message}, ${WITHOUT}`)
    .refine((value) => URL.canParse(value), `${name} is no address`)
const orEmpty = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]).optional()

const line = (name: string) =>
  z
    .string()
    .regex(/^\P{Cc}*$/u, `${name} is one line of text`)
    .optional()

const isOrigin = (value: string) => PLAIN_TEXT.test(value) && URL.canParse(value) && new URL(value).origin === value
const KEY = /^[\w+/=:-]{43,}$/

/** Form of every setting, wherever the worker runs. Messages begin with the name. */
export const SettingForms = z.object({
  APP_ORIGIN: z
    .string('APP_ORIGIN is the address of the site, such as https://cairn.example.org')
    .refine(
      isOrigin,
      'APP_ORIGIN is the address of the site, such as https://cairn.example.org, in small letters and without a slash at its end',
    ),
  DATABASE_URL: address('DATABASE_URL', 'postgres(ql)?://', "DATABASE_URL is Neon's connection string, postgresql://…"),
  NEON_PROXY: z
    .string()
    .regex(/^$|^[\w.-]+:\d+$/, 'NEON_PROXY is host:port of a local Neon endpoint')
    .optional(),
  AUTH_PROVIDER: z.enum(['better-auth', 'oidc', ''], 'AUTH_PROVIDER is better-auth or oidc').optional(),
  AUTH_URL: address('AUTH_URL', 'https?://', 'AUTH_URL is the address of the sign-in service'),
  AUTH_ISSUER: z
    .string()
    .regex(new RegExp(`^(${PLAIN})?$`), `AUTH_ISSUER must be the address that the service calls itself by, ${WITHOUT}`)
    .optional(),
  AUTH_AUDIENCE: line('AUTH_AUDIENCE'),
  AUTH_CLIENT_ID: line('AUTH_CLIENT_ID'),
  AUTH_CLIENT_SECRET: line('AUTH_CLIENT_SECRET'),
  AUTH_SCOPES: z
    .string()
    .regex(/^$|^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'AUTH_SCOPES is a list of scopes, separated by blanks')
    .optional(),
  SESSION_KEYS: z
    .string('SESSION_KEYS is missing: kid:base64 of 32 bytes')
    .regex(/^[\w-]+:[\w+/=-]{43,44}(,[\w-]+:[\w+/=-]{43,44})*$/, 'SESSION_KEYS is kid:base64 of 32 bytes, newest first'),
  LIVE_KEY: z.string('LIVE_KEY is missing: base64 of 32 bytes').regex(KEY, 'LIVE_KEY is base64 of 32 bytes'),
  PARTY_HOST: z
    .string()
    .refine((value) => value === '' || isOrigin(value), 'PARTY_HOST is an origin, such as https://cairn.example.partykit.dev')
    .optional(),
  PARTY_PUBLISH_KEY: orEmpty(z.string().regex(KEY, 'PARTY_PUBLISH_KEY is base64 of 32 bytes')),
  MAIL_URL: orEmpty(address('MAIL_URL', 'https?://', 'MAIL_URL is the address that the mail service takes mails at')),
  MAIL_KEY: line('MAIL_KEY'),
  MAIL_FROM: line('MAIL_FROM'),
  MAIL_FORMAT: z.enum(['resend', 'postmark', ''], 'MAIL_FORMAT is resend or postmark').optional(),
  MAIL_IN_DOMAIN: z
    .string()
    .regex(/^$|^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'MAIL_IN_DOMAIN is a domain in small letters, such as in.cairn.example.org')
    .optional(),
  MAP_STYLE_URL: orEmpty(address('MAP_STYLE_URL', 'https://', 'MAP_STYLE_URL starts with https:')),
  MAP_STYLE_URL_DARK: orEmpty(address('MAP_STYLE_URL_DARK', 'https://', 'MAP_STYLE_URL_DARK starts with https:')),
  MAP_HOSTS: z
    .string()
    .regex(/^$|^https:\/\/[\w.*-]+(:\d+)?( https:\/\/[\w.*-]+(:\d+)?)*$/, 'MAP_HOSTS is a list of https origins, separated by blanks')
    .optional(),
  MAP_TILES: line('MAP_TILES'),
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
  PUSH_SERVICES: z
    .string()
    .regex(/^$|^[a-z\d.-]+( [a-z\d.-]+)*$/, 'PUSH_SERVICES is a list of host names in lower case, separated by blanks')
    .optional(),
  VAPID_SUBJECT: orEmpty(address('VAPID_SUBJECT', '(mailto:|https://)', 'VAPID_SUBJECT starts with mailto: or https:')),
  SECURITY_CONTACT: orEmpty(address('SECURITY_CONTACT', '(mailto:|https://)', 'SECURITY_CONTACT starts with mailto: or https:')),
  RATE_LIMIT_FACTOR: z
    .string()
    .regex(/^$|^\d+(\.\d+)?$/, 'RATE_LIMIT_FACTOR is a number')
    .optional(),
} satisfies Record<keyof Settings, z.ZodType>)

/** Names of settings, each in one of its forms. */
type Given = Partial<Record<keyof Settings, string>>

/**
 * Checks settings. Returns a sentence for each problem, which begins with the name of the variable and never repeats its value. `stored` names
 * settings whose values are elsewhere: they are neither missing nor checked.
 */
export function settingProblems(env: Given, stored: ReadonlySet<string> = new Set()): string[] {
  const { error } = SettingForms.safeParse(env)
  const isStored = (name: PropertyKey | undefined) => typeof name === 'string' && stored.has(name) && !env[name as keyof Settings]
  const forms = (error?.issues ?? []).filter(({ path }) => !isStored(path[0])).map(({ message }) => message)
  const all = [...forms, ...unmetNeeds(env, isStored), ...(forms.length === 0 ? outsideProblems(env) : [])]
  return [...new Set(all)]
}

/** Throws an Error for settings that cannot work, or are unsafe on a site outside this machine. It has all sentences of `settingProblems`. */
export function checkSettings(env: Settings): void {
  const problems = settingProblems(env)
  if (problems.length > 0) throw new Error(`Check the settings: ${problems.join('. ')}`)
}

/** Settings that others need, and that are missing or do not fit them. */
function unmetNeeds(env: Given, isStored: (name: string) => boolean): string[] {
  const has = (name: keyof Settings) => Boolean(env[name]) || isStored(name)
  const parts: [boolean, string][] = [
    [env.AUTH_PROVIDER === 'oidc' && !has('AUTH_CLIENT_ID'), 'AUTH_CLIENT_ID is missing: your sign-in service gives it to you'],
    [
      env.AUTH_PROVIDER === 'oidc' && Boolean(env.AUTH_ISSUER) && !URL.canParse(env.AUTH_ISSUER ?? ''),
      'AUTH_ISSUER must be the address that the service calls itself by',
    ],
    [Boolean(env.AUTH_SCOPES) && !env.AUTH_SCOPES?.split(' ').includes('openid'), 'AUTH_SCOPES must name openid'],
    [Boolean(env.PARTY_HOST) && !has('PARTY_PUBLISH_KEY'), 'PARTY_PUBLISH_KEY is base64 of 32 bytes'],
    [has('VAPID_PUBLIC_KEY') !== has('VAPID_PRIVATE_KEY'), 'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both, or neither'],
    [
      Boolean(env.MAIL_URL && env.MAIL_FORMAT) && !(has('MAIL_FROM') && has('MAIL_KEY')),
      'MAIL_FROM and MAIL_KEY are missing: who mails are from, and the key of the mail service',
    ],
    [
      env.IMAGE_PROVIDER === 'delivery' && !has('IMAGE_DELIVERY'),
      'IMAGE_DELIVERY is missing: the address of the service that fetches pictures',
    ],
  ]
  return parts.flatMap(([missing, sentence]) => (missing ? [sentence] : []))
}
