import { describe, expect, test } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { PASSWORD, register } from '../support/world.ts'

const CLEARS = '"cache"'
const session = (who: Client) => who.get('/api/auth/session')
const signIn = (who: Client, email: string) => who.post('/api/auth/sign-in', { email, password: PASSWORD })
const cleared = async (answer: ReturnType<Client['get']>) => (await answer).headers.get('clear-site-data')
/** A browser that forgets its session, as when the cookie ends by itself. */
const lose = (browser: Client) => browser.cookies.delete('session')

describe('the cache of a browser', () => {
  test('is emptied by signing out, also without a session', async () => {
    const ada = await register('ada')
    expect(await cleared(ada.post('/api/auth/sign-out'))).toBe(CLEARS)
    expect(await cleared(ada.post('/api/auth/sign-out'))).toBe(CLEARS)
  })

  test('is emptied when the account is deleted', async () => {
    const ada = await register('ada')
    const deleted = await ada.delete('/api/users/profile', { email: ada.email, items: 'leave', deleteCollections: [] })
    expect([deleted.status, deleted.headers.get('clear-site-data')]).toEqual([200, CLEARS])
  })

  test('stays while the same account uses it, also after its session has ended', async () => {
    const ada = await register('ada')
    for (let visits = 0; visits < 2; visits++) expect(await cleared(session(ada))).toBeNull()
    lose(ada)
    await signIn(ada, ada.email)
    expect(await cleared(session(ada))).toBeNull()
  })

  test('is emptied once when another account uses it after a session that was never signed out', async () => {
    const [ada, bob] = [await register('ada'), await register('bob')]
    await session(ada)
    lose(ada)
    await signIn(ada, bob.email)
    expect(await cleared(session(ada))).toBe(CLEARS)
    expect(await cleared(session(ada))).toBeNull()
  })

  test('is emptied once when a session has ended', async () => {
    const ada = await register('ada')
    await session(ada)
    lose(ada)
    expect(await cleared(session(ada))).toBe(CLEARS)
    expect(await cleared(session(ada))).toBeNull()
  })

  test('stays when a visitor without an account looks around', async () => {
    const visitor = new Client((await register('eve')).origin)
    expect(await cleared(session(visitor))).toBeNull()
  })

  test('is marked with a digest that names nobody, in a cookie that scripts cannot read', async () => {
    const ada = await register('ada')
    const line = (await session(ada)).headers.getSetCookie().find((cookie) => cookie.startsWith('cache-of='))
    expect(line).toMatch(/^cache-of=[0-9a-f]{32}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(line).not.toContain(ada.id)
  })
})
