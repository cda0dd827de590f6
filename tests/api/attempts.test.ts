import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import type { Answer, Client } from '../../dev/http-client.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { noise, sendWhole } from '../support/files.ts'
import { type World, world } from '../support/world.ts'

type Limited = [what: string, action: 'invite' | 'upload', call: (who: Client, w: World) => Promise<Answer>]

const LIMITED: Limited[] = [
  [
    'inviting',
    'invite',
    (who, w) => who.post(`/api/collections/${w.collection.id}/invites/invite`, { email: `${newId()}@example.org`, role: 'read' }),
  ],
  [
    'beginning uploads',
    'upload',
    (who) => who.post('/api/asset', { name: 'a.jpg', type: 'image/jpeg', size: 1, checksum: `${newId()}${newId()}`.replaceAll('-', '') }),
  ],
  ['sending whole files', 'upload', (who) => sendWhole(who, noise(10))],
]

test.each(LIMITED)('%s too often gets 429 for this user alone and has no effect', async (_what, action, call) => {
  const w = await world({ bob: 'admin' })
  const key = await attemptKey(action, `user:${w.as('ada').id}`)
  // The tests' stack allows a thousand times as many.
  const allowed = ATTEMPTS[action].perUser * 1000
  await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${allowed - 1}, now() + interval '5 minutes')`
  expect((await call(w.as('ada'), w)).status).toBeLessThan(300)
  const before = await w.changes()
  const refused = await call(w.as('ada'), w)
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(280)
  expect(await w.changes()).toEqual(before)
  expect((await call(w.as('bob'), w)).status).toBeLessThan(300)
  await w.sql`update rate_limits set resets_at = now() - interval '1 second' where key = ${key}`
  expect((await call(w.as('ada'), w)).status).toBeLessThan(300)
})

test('An invalid request does not count against the rate limit', async () => {
  const w = await world()
  const count = async () =>
    (await w.sql`select tries from rate_limits where key = ${await attemptKey('invite', `user:${w.as('ada').id}`)}`)[0]?.tries
  expect((await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: 'nobody' })).status).toBe(400)
  expect(await count()).toBeUndefined()
})
