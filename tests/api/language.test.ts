import { expect, inject, test } from 'vitest'
import { spoken } from '../support/spoken.ts'

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
