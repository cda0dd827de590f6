import { expect, inject, test } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { spoken } from '../support/spoken.ts'
import { PASSWORD } from '../support/world.ts'

/** The worker answers in the language of the request, with the same codes. */

const { origin } = inject('stack')
const ask = (path: string, headers: Record<string, string>) => fetch(origin + path, { headers })

test.each([
  [{ 'accept-language': 'de-AT,en;q=0.5' }, 'de'],
  [{ 'accept-language': 'tlh, en;q=0.3, ja;q=0.7' }, 'ja'],
  [{ 'accept-language': 'de', cookie: 'language=tr' }, 'tr'],
  [{ 'accept-language': 'zh-TW' }, 'en'],
  [{ 'accept-language': ';;q=x,,*', cookie: 'language=<script>' }, 'en'],
  [{ 'accept-language': `${'xx,'.repeat(5_000)}de` }, 'en'],
  [{}, 'en'],
])('Asked with %o, errors are in %s', async (headers, language) => {
  const refused = await ask('/api/collections', headers)
  const { error } = (await refused.json()) as { error: unknown }
  const english = 'Sign in first'
  const message = language === 'en' ? english : (await spoken(language))(english)
  expect([refused.status, error]).toEqual([401, { code: 'unauthenticated', message }])
})

test('A language chosen before registering becomes that of the account, and a choice at a later sign-in is of that device alone', async () => {
  const email = `grete-${crypto.randomUUID()}@example.org`
  const at = async (path: string, language: string) => {
    const client = new Client(origin)
    client.cookies.set('language', language)
    await client.post(path, { email, password: PASSWORD }, { headers: { 'accept-language': 'ca, fr-CA;q=0.8, en;q=0.5' } })
    return (await client.get('/api/users/profile')).body
  }
  expect(await at('/api/auth/sign-up', 'de')).toMatchObject({ displayLanguage: 'de', language: 'fr-CA' })
  expect(await at('/api/auth/sign-in', 'pl')).toMatchObject({ displayLanguage: 'de' })
})

test.each(['', 'en-XA', 'tlh', '<script>'])('A cookie of the language %j chooses none', async (language) => {
  const client = new Client(origin)
  client.cookies.set('language', language)
  const { status } = await client.post('/api/auth/sign-up', { email: `hal-${crypto.randomUUID()}@example.org`, password: PASSWORD })
  expect([status, (await client.get('/api/users/profile')).body.displayLanguage]).toEqual([201, null])
})
