import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSecrets } from '../dev/secrets.ts'
import { checkSettings, type Settings } from './settings.ts'

/** Settings as made by `npm start`. */
const folder = await mkdtemp(path.join(tmpdir(), 'cairn-env-'))
const made = await loadSecrets(folder)
await rm(folder, { recursive: true })
const newKey = () => randomBytes(32).toString('base64')
const secret = newKey()
const local = {
  APP_ORIGIN: 'http://127.0.0.1:4747',
  DATABASE_URL: 'postgresql://u:p@127.0.0.1/db',
  AUTH_URL: 'http://127.0.0.1:4748/auth',
  SESSION_KEYS: `k1:${secret}`,
  LIVE_KEY: secret,
}
const site = {
  ...local,
  APP_ORIGIN: 'https://cairn.example',
  DATABASE_URL: 'postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
  AUTH_URL: 'https://auth.cairn.example/neondb/auth',
  SESSION_KEYS: `k1:${newKey()}`,
}
const oidc = { ...site, AUTH_PROVIDER: 'oidc', AUTH_CLIENT_ID: 'cairn' }
const partykit = { ...site, PARTY_HOST: 'https://cairn.example.partykit.dev', PARTY_PUBLISH_KEY: newKey() }
const pair = { VAPID_PUBLIC_KEY: made.vapid.publicKey, VAPID_PRIVATE_KEY: made.vapid.privateKey }
const check = (settings: object) => () => checkSettings(settings as Settings)

describe('valid settings', () => {
  test.each([
    local,
    { ...local, SESSION_KEYS: made.sessionKeys, LIVE_KEY: made.liveKey },
    site,
    partykit,
    { ...site, PARTY_HOST: '' },
    { ...site, AUTH_PROVIDER: '' },
    oidc,
    { ...oidc, AUTH_ISSUER: '', AUTH_CLIENT_SECRET: 'secret', AUTH_SCOPES: 'openid email' },
    { ...site, ...pair },
    { ...site, ...pair, VAPID_SUBJECT: 'mailto:ada@example.org' },
    { ...site, ...pair, VAPID_SUBJECT: 'https://example.org/imprint' },
    { ...site, VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '', VAPID_SUBJECT: '' },
    { ...site, MAP_TILES: 'map/planet.pmtiles' },
    { ...site, MAP_STYLE_URL: 'https://tiles.example/style.json?key=a', MAP_STYLE_URL_DARK: 'https://tiles.example/dark.json' },
    { ...site, MAP_STYLE_URL: 'https://tiles.example/style.json', MAP_HOSTS: 'https://*.tiles.example https://fonts.example:8443' },
    { ...site, MAP_STYLE_URL: '', MAP_STYLE_URL_DARK: '', MAP_HOSTS: '', MAP_TILES: '' },
    { ...site, IMAGE_PROVIDER: 'delivery', IMAGE_DELIVERY: 'https://res.example/cairn/image/fetch' },
    { ...site, ANALYTICS_KEY: 'phc_1-a', ANALYTICS_HOST: 'https://eu.i.posthog.com' },
    { ...site, ANALYTICS_KEY: '', ANALYTICS_HOST: '' },
    { ...site, AUTH_PROVIDER: 'better-auth', SESSION_KEYS: `k2:${newKey()},k1:${newKey()}` },
  ])('checkSettings accepts valid settings %#', (settings) => {
    expect(check(settings)).not.toThrow()
  })
})

describe('invalid settings', () => {
  test.each([
    ['SESSION_KEYS', { ...local, SESSION_KEYS: '' }],
    ['SESSION_KEYS', { ...local, SESSION_KEYS: secret }],
    ['SESSION_KEYS', { ...local, SESSION_KEYS: 'k1:c2hvcnQ=' }],
    ['AUTH_URL', { ...local, AUTH_URL: 'auth' }],
    ['AUTH_PROVIDER', { ...local, AUTH_PROVIDER: 'none' }],
    ['AUTH_CLIENT_ID', { ...oidc, AUTH_CLIENT_ID: '' }],
    ['AUTH_ISSUER', { ...oidc, AUTH_ISSUER: 'auth' }],
    ['AUTH_SCOPES', { ...oidc, AUTH_SCOPES: 'email profile' }],
    ['AUTH_SCOPES', { ...oidc, AUTH_SCOPES: 'openid, email\u00e9' }],
    ['AUTH_URL', { ...oidc, AUTH_URL: 'http://auth.cairn.example' }],
    ['AUTH_URL', { ...site, AUTH_URL: local.AUTH_URL }],
    ['AUTH_URL', { ...site, AUTH_URL: 'https://localhost/auth' }],
    ['AUTH_URL', { ...site, AUTH_URL: 'https://0.0.0.0/auth' }],
    ['AUTH_URL', { ...site, AUTH_URL: 'https://[::1]/auth' }],
    ['AUTH_URL', { ...site, AUTH_URL: 'http://auth.cairn.example' }],
    ['SESSION_KEYS', { ...site, SESSION_KEYS: made.sessionKeys }],
    ['SESSION_KEYS', { ...site, SESSION_KEYS: `k2:${newKey()},${made.sessionKeys}` }],
    ['LIVE_KEY', { ...site, LIVE_KEY: made.liveKey }],
    ['PARTY_HOST', { ...partykit, PARTY_HOST: 'cairn.example.partykit.dev' }],
    ['PARTY_HOST', { ...partykit, PARTY_HOST: 'http://cairn.example.partykit.dev' }],
    ['PARTY_PUBLISH_KEY', { ...partykit, PARTY_PUBLISH_KEY: '' }],
    ['MAIL_URL', { ...site, MAIL_URL: 'api.resend.com' }],
    ['MAIL_URL', { ...site, MAIL_URL: 'http://api.resend.com/emails' }],
    ['MAIL_FORMAT', { ...site, MAIL_URL: 'https://api.resend.com/emails', MAIL_FORMAT: 'smtp' }],
    ['MAIL_FROM', { ...site, MAIL_URL: 'https://api.resend.com/emails', MAIL_FORMAT: 'resend', MAIL_KEY: 'hush' }],
    ['IMAGE_PROVIDER', { ...site, IMAGE_PROVIDER: 'ipx' }],
    ['IMAGE_DELIVERY', { ...site, IMAGE_PROVIDER: 'delivery' }],
    ['IMAGE_DELIVERY', { ...site, IMAGE_PROVIDER: 'delivery', IMAGE_DELIVERY: 'http://res.example' }],
    ['IMAGE_DELIVERY', { ...site, IMAGE_PROVIDER: 'delivery', IMAGE_DELIVERY: 'https://res.example/' }],
    ['IMAGE_DELIVERY', { ...site, IMAGE_PROVIDER: 'delivery', IMAGE_DELIVERY: 'https://res.example/image/fetch/' }],
    ['MAP_STYLE_URL', { ...site, MAP_STYLE_URL: 'http://tiles.example/style.json' }],
    ['MAP_STYLE_URL', { ...site, MAP_STYLE_URL: 'https://tiles.example/a style.json' }],
    ['MAP_STYLE_URL_DARK', { ...site, MAP_STYLE_URL_DARK: 'dark.json' }],
    ['MAP_HOSTS', { ...site, MAP_HOSTS: 'tiles.example' }],
    ['MAP_HOSTS', { ...site, MAP_HOSTS: 'https://tiles.example/fonts' }],
    ['MAP_HOSTS', { ...site, MAP_HOSTS: 'https://tiles.example, https://fonts.example' }],
    ['MAP_HOSTS', { ...site, MAP_HOSTS: "https://tiles.example; script-src 'unsafe-inline'" }],
    ['VAPID_PRIVATE_KEY', { ...site, VAPID_PUBLIC_KEY: pair.VAPID_PUBLIC_KEY }],
    ['VAPID_PUBLIC_KEY', { ...site, VAPID_PRIVATE_KEY: pair.VAPID_PRIVATE_KEY }],
    ['VAPID_PUBLIC_KEY', { ...site, ...pair, VAPID_PUBLIC_KEY: pair.VAPID_PRIVATE_KEY }],
    ['VAPID_PUBLIC_KEY', { ...site, ...pair, VAPID_PUBLIC_KEY: `${pair.VAPID_PUBLIC_KEY}=` }],
    ['VAPID_PRIVATE_KEY', { ...site, ...pair, VAPID_PRIVATE_KEY: secret }],
    ['VAPID_SUBJECT', { ...site, ...pair, VAPID_SUBJECT: 'ada@example.org' }],
    ['VAPID_SUBJECT', { ...site, ...pair, VAPID_SUBJECT: 'http://example.org' }],
    ['ANALYTICS_KEY', { ...site, ANALYTICS_KEY: 'phc 1' }],
    ['ANALYTICS_KEY', { ...site, ANALYTICS_KEY: "phc_1'</script>" }],
    ['ANALYTICS_HOST', { ...site, ANALYTICS_KEY: 'phc_1', ANALYTICS_HOST: 'http://eu.i.posthog.com' }],
    ['ANALYTICS_HOST', { ...site, ANALYTICS_KEY: 'phc_1', ANALYTICS_HOST: 'https://eu.i.posthog.com/e' }],
    ['PARTY_PUBLISH_KEY', { ...partykit, PARTY_PUBLISH_KEY: secret }],
  ])('checkSettings refuses an invalid %s (%#)', (name, settings) => {
    expect(check(settings)).toThrow(name)
  })
})

test('checkSettings lists all missing settings in a sentence without values', () => {
  const problem = () => checkSettings({ APP_ORIGIN: 'cairn.example', LIVE_KEY: 'hush' } as Settings)
  for (const name of ['APP_ORIGIN is', 'DATABASE_URL is', 'AUTH_URL is', 'SESSION_KEYS is', 'LIVE_KEY is']) expect(problem).toThrow(name)
  expect(problem).not.toThrow('hush')
})
