import { expect, test } from 'vitest'
import type { Env } from '../env.ts'
import { pages } from './pages.ts'

const env = { APP_ORIGIN: 'https://cairn.example.org' } as Env

/** Redirect of a page at another host of the site. */
async function ledTo(path: string): Promise<string | null> {
  const headers = { 'sec-fetch-mode': 'navigate' }
  const { headers: answered } = await pages.request(`https://cairn.example.workers.dev${path}`, { headers }, env)
  return answered.get('location')
}

test('a page at another host redirects to the same path of the site', async () => {
  expect(await ledTo('/collections/map?c=1&item=2')).toBe('https://cairn.example.org/collections/map?c=1&item=2')
})

test.each(['//evil.example/login', '///evil.example', '/\\evil.example', '//evil.example:443/?a=b'])(
  'the path %s at another host does not redirect to another site',
  async (path) => {
    expect(new URL((await ledTo(path)) ?? '').origin).toBe(env.APP_ORIGIN)
  },
)
