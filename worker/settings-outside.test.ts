import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newVapidKeys } from '../dev/secrets.ts'
import { checkSettings, SettingForms, type Settings, settingProblems } from './settings.ts'

/** Generated over all settings: a new one needs a line in KINDS, and with it gets every refusal of its kind. */

const key = () => randomBytes(32).toString('base64')
const vapid = newVapidKeys()
const site: Required<Settings> = {
  APP_ORIGIN: 'https://cairn.example',
  DATABASE_URL: 'postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/neondb?sslmode=require',
  NEON_PROXY: '',
  AUTH_PROVIDER: 'oidc',
  AUTH_URL: 'https://auth.cairn.example/neondb/auth',
  AUTH_ISSUER: 'https://auth.cairn.example',
  AUTH_AUDIENCE: 'https://auth.cairn.example',
  AUTH_CLIENT_ID: 'cairn',
  AUTH_CLIENT_SECRET: 'client secret',
  AUTH_SCOPES: 'openid email',
  SESSION_KEYS: `k2:${key()},k1:${key()}`,
  LIVE_KEY: key(),
  PARTY_HOST: 'https://cairn.example.partykit.dev',
  PARTY_PUBLISH_KEY: key(),
  PREVIEW_KEY: key(),
  MAIL_URL: 'https://api.resend.com/emails',
  MAIL_KEY: 're_1',
  MAIL_FROM: 'Cairn <cairn@example.org>',
  MAIL_FORMAT: 'resend',
  MAIL_IN_DOMAIN: 'in.cairn.example',
  MAP_STYLE_URL: 'https://tiles.example/style.json?key=a',
  MAP_STYLE_URL_DARK: 'https://tiles.example/dark.json',
  MAP_HOSTS: 'https://*.tiles.example https://fonts.example:8443',
  MAP_TILES: 'map/planet.pmtiles',
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  VAPID_SUBJECT: 'mailto:ada@example.org',
  ANALYTICS_KEY: 'phc_1-a',
  ANALYTICS_HOST: 'https://eu.i.posthog.com',
  IMAGE_PROVIDER: 'delivery',
  IMAGE_DELIVERY: 'https://res.example/image/fetch',
  SECURITY_CONTACT: 'mailto:security@cairn.example',
  PUSH_SERVICES: 'push.example.org push.example.net',
  RATE_LIMIT_FACTOR: '1',
}
const local = { ...site, APP_ORIGIN: 'http://127.0.0.1:4747' }

type Kind =
  | 'address'
  | 'hosts'
  | 'names'
  | 'database'
  | 'key'
  | 'keys'
  | 'vapid key'
  | 'subject'
  | 'sender'
  | 'domain'
  | 'choice'
  | 'factor'
  | 'proxy'
  | 'text'
const KINDS: Record<keyof Settings, Kind> = {
  ...{ APP_ORIGIN: 'address', AUTH_URL: 'address', AUTH_ISSUER: 'address', PARTY_HOST: 'address', MAIL_URL: 'address' },
  ...{ MAP_STYLE_URL: 'address', MAP_STYLE_URL_DARK: 'address', ANALYTICS_HOST: 'address', IMAGE_DELIVERY: 'address' },
  ...{
    MAP_HOSTS: 'hosts',
    PUSH_SERVICES: 'names',
    DATABASE_URL: 'database',
    VAPID_SUBJECT: 'subject',
    SECURITY_CONTACT: 'subject',
    NEON_PROXY: 'proxy',
    RATE_LIMIT_FACTOR: 'factor',
  },
  ...{ SESSION_KEYS: 'keys', LIVE_KEY: 'key', PARTY_PUBLISH_KEY: 'key', PREVIEW_KEY: 'key', VAPID_PRIVATE_KEY: 'vapid key' },
  ...{ AUTH_PROVIDER: 'choice', MAIL_FORMAT: 'choice', IMAGE_PROVIDER: 'choice', VAPID_PUBLIC_KEY: 'choice', AUTH_SCOPES: 'choice' },
  ...{ AUTH_AUDIENCE: 'text', AUTH_CLIENT_ID: 'text', AUTH_CLIENT_SECRET: 'text', MAIL_KEY: 'text', MAP_TILES: 'text' },
  ANALYTICS_KEY: 'choice',
  MAIL_FROM: 'sender',
  MAIL_IN_DOMAIN: 'domain',
}

const SEPARATED = [', https://evil.example', ';script-src *', " 'unsafe-inline'", '\nx: y', '"', '<', '\\']
const OWN_HOSTS = ['localhost', 'cairn.localhost', 'cairn.local', '127.0.0.1', '127.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]']
const withHost = (value: string, host: string) => value.replace(/(?<=:\/\/(?:u:p@)?)(?!u:p@)[\w.-]+/, host)

/** Bytes that are no secret: of one kind, a repeated block, plain text, counted. */
const WEAK = {
  zeros: Buffer.alloc(32),
  'one byte': Buffer.alloc(32, 7),
  'a repeated block': Buffer.concat([Buffer.from('0123456789abcdef', 'hex'), Buffer.from('0123456789abcdef', 'hex')], 32).fill('ab', 8),
  'plain text': Buffer.from('The quick brown fox jumps, lazy!'),
  counting: Buffer.from(Array.from({ length: 32 }, (_, nth) => nth)),
  'counting down': Buffer.from(Array.from({ length: 32 }, (_, nth) => 255 - nth)),
}
const weak = (encoding: 'base64' | 'base64url') => Object.entries(WEAK).map(([what, bytes]) => [`weak: ${what}`, bytes.toString(encoding)])
const short = (encoding: 'base64' | 'base64url') => [['short', randomBytes(24).toString(encoding)]]

/** Bad values of a setting by what is wrong with them. */
function badValues(name: keyof Settings): string[][] {
  const value = site[name]
  const kinds: Record<Kind, () => string[][]> = {
    address: () => [
      ['http', value.replace('https:', 'http:')],
      ['another protocol', value.replace('https:', 'ftp:')],
      ['credentials', value.replace('://', '://u:p@')],
      ...SEPARATED.map((end) => ['separators', value + end]),
      // An http address of this machine is what a site on this machine has, with looser rules for everything.
      ...(name === 'APP_ORIGIN' ? [] : OWN_HOSTS.map((host) => ['development value', withHost(value, host)])),
    ],
    hosts: () => [
      ['http', value.replaceAll('https:', 'http:')],
      ['development value', 'https://localhost:8080'],
      ['development value', 'https://tiles.example https://127.0.0.1'],
      ...[', ', ';', ' ; ', '\n'].map((separator) => ['separators', value.replace(' ', separator)]),
    ],
    names: () => [
      ...OWN_HOSTS.map((host) => ['development value', `push.example.org ${host}`]),
      ...['https://push.example.org', ...[', ', ';', '\n'].map((separator) => value.replace(' ', separator))].map((bad) => [
        'separators',
        bad,
      ]),
    ],
    database: () => [
      ['http', value.replace('postgresql:', 'http:')],
      ['no encryption', value.replace('require', 'disable')],
      ['no encryption', value.replace('require', 'prefer')],
      ['no encryption', `${value}&ssl=false`],
      ['no password', value.replace('u:p@', 'u@')],
      ...OWN_HOSTS.map((host) => ['development value', withHost(value, host)]),
      ...SEPARATED.map((end) => ['separators', value + end]),
    ],
    key: () => [
      ...[...weak('base64'), ...short('base64')],
      ['development value', `local1:${key()}`],
      ['text', 'correct horse battery staple, and some more words'],
      ['repeated', site.SESSION_KEYS.split(':')[2] ?? ''],
      ['repeated', site[name === 'LIVE_KEY' ? 'PARTY_PUBLISH_KEY' : 'LIVE_KEY']],
      ['repeated', site[name === 'LIVE_KEY' ? 'PARTY_PUBLISH_KEY' : 'LIVE_KEY'].replaceAll('+', '-').replaceAll('/', '_')],
    ],
    keys: () => [
      ...[...weak('base64'), ...short('base64')].map(([what = '', bad]) => [what, `k2:${key()},k1:${bad}`]),
      ['development value', `local1:${key()}`],
      ['development value', `k2:${key()},local1:${key()}`],
      ['repeated', `k2:${site.LIVE_KEY}`],
      ['repeated', `${site.SESSION_KEYS},k0:${site.SESSION_KEYS.slice(3, 47)}`],
      ['repeated name', `k1:${key()},k1:${key()}`],
      ['separators', `k2:${key()}; k1:${key()}`],
    ],
    'vapid key': () => [...weak('base64url'), ...short('base64url')],
    subject: () => [
      ['http', 'http://cairn.example'],
      ['development value', 'mailto:nobody@example.org'],
      ['development value', 'https://localhost/imprint'],
      ...SEPARATED.map((end) => ['separators', value + end]),
    ],
    sender: () => [
      ...['x', 'Cairn', 'cairn@', '@example.org', 'cairn@localhost', 'Cairn <cairn@localhost>', 'a b@example.org'].map((bad) => [
        'no address',
        bad,
      ]),
      ...OWN_HOSTS.map((host) => ['development value', `Cairn <cairn@${host}>`]),
      ...['a@example.org, b@example.org', 'a@example.org;b@example.org', '<a@example.org> <b@example.org>', `${value}, b@example.org`].map(
        (bad) => ['two addresses', bad],
      ),
      ['separators', `${value}\nx: y`],
    ],
    domain: () => [
      ['development value', 'in.cairn.localhost'],
      ['development value', 'in.cairn.local'],
      ['development value', '127.0.0.1'],
      ...['\n', ', ', ';', '"'].map((end) => ['separators', `${value}${end}`]),
    ],
    choice: () => [['another', 'none of these'], ...['\n', ', ', ';', '"'].map((end) => ['separators', `none${end}of`])],
    factor: () => ['1.01', '1000', 'Infinity', '1e3', '-1', 'x'].map((bad) => ['above 1 or no number', bad]),
    proxy: () => [['development value', '127.0.0.1:5433']],
    text: () => [
      ['separators', `${value}\nx: y`],
      ['separators', `${value}\r`],
      ...(name === 'AUTH_AUDIENCE' ? [['http', 'http://auth.example']] : []),
    ],
  }
  return kinds[KINDS[name]]()
}

const names = Object.keys(SettingForms.shape) as (keyof Settings)[]
const bad = names.flatMap((name) => badValues(name).map(([what, value]) => [name, what, value] as const))

/** Whether a sentence is about the setting, which stands in it by name. */
const isNamed = (problems: string[], name: string) => problems.some((problem) => problem.includes(name))

test('The settings that the refusals are generated from are those of a site that starts', () => {
  expect(settingProblems(site)).toEqual([])
  expect(settingProblems({ ...local, NEON_PROXY: '127.0.0.1:5433', RATE_LIMIT_FACTOR: '1000' })).toEqual([])
})

test.each(['cairn@example.org', '<cairn@example.org>', 'Cairn of Ada <cairn@mail.example.org>', '"Cairn, of Ada" <cairn@bücher.example>'])(
  'A site that sends its mails as %s starts',
  (MAIL_FROM) => expect(settingProblems({ ...site, MAIL_FROM })).toEqual([]),
)

const required = ['APP_ORIGIN', 'DATABASE_URL', 'AUTH_URL', 'SESSION_KEYS', 'LIVE_KEY'] as const
test.each(required)('A site without %s does not start and says which setting is missing', (name) => {
  const { [name]: _, ...rest } = site
  for (const settings of [rest, { ...rest, [name]: '' }]) {
    expect(isNamed(settingProblems(settings), name)).toBe(true)
    expect(() => checkSettings(settings as Settings)).toThrow(name)
  }
})

test.each([
  ['AUTH_CLIENT_ID', 'AUTH_PROVIDER'],
  ['PARTY_PUBLISH_KEY', 'PARTY_HOST'],
  ['VAPID_PRIVATE_KEY', 'VAPID_PUBLIC_KEY'],
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  ['MAIL_FROM', 'MAIL_FORMAT'],
  ['MAIL_KEY', 'MAIL_FORMAT'],
  ['IMAGE_DELIVERY', 'IMAGE_PROVIDER'],
] as const)('A site without %s, which %s needs, does not start', (name, _needs) => {
  const { [name]: _, ...rest } = site
  expect(() => checkSettings(rest as Settings)).toThrow(name)
  // As where the platform has it already.
  expect(settingProblems(rest, new Set([name]))).toEqual([])
})

describe('A site outside this machine does not start and says which setting is wrong', () => {
  test.each(bad)('%s, %s: %j', (name, _what, value) => {
    const problems = settingProblems({ ...site, [name]: value })
    expect(isNamed(problems, name), problems.join('\n')).toBe(true)
    expect(() => checkSettings({ ...site, [name]: value })).toThrow(name)
  })

  test('also where the other settings are stored elsewhere and cannot be read', () => {
    for (const [name, what, value] of bad) {
      if (name === 'APP_ORIGIN' || what === 'repeated') continue
      const { APP_ORIGIN, DATABASE_URL } = site
      expect(isNamed(settingProblems({ APP_ORIGIN, DATABASE_URL, [name]: value }, new Set(names)), name), `${name} ${value}`).toBe(true)
    }
  })
})

test('A key that only seems to repeat is accepted, as 2,000 random keys are', () => {
  for (let left = 1000; left > 0; left--) {
    expect(settingProblems({ ...site, LIVE_KEY: key(), PARTY_PUBLISH_KEY: randomBytes(48).toString('base64url') })).toEqual([])
  }
})

test('No sentence repeats the value of a setting', () => {
  for (const [name, , value = ''] of bad) {
    if (value.length < 20) continue
    expect(settingProblems({ ...site, [name]: value }).join('\n')).not.toContain(value)
  }
})
