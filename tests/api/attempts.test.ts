import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import type { Answer, Client } from '../../dev/http-client.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { noise, sendWhole } from '../support/files.ts'
import { guestOf } from '../support/guests.ts'
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

/** Calls that a guest could repeat without end. Each entry prepares one of them. */
const REPEATED: [what: string, action: 'comment' | 'guestName', prepare: (guest: Guest, w: World) => Promise<() => Promise<Answer>>][] = [
  ['Deleting a comment', 'comment', async (guest, w) => deletion(guest, await comment(guest, w))],
  [
    'Bringing a comment back',
    'comment',
    async (guest, w) => {
      const { changeId } = (await deletion(guest, await comment(guest, w))()).body
      return () => guest.post(`/api/undo/${changeId}`)
    },
  ],
  ['Giving another name', 'guestName', async (guest) => () => guest.put('/api/guest', { name: 'Opa' })],
  ['Entering under another name', 'guestName', async (guest) => () => guest.enter(guest.made.url, { name: 'Opa' })],
]
type Guest = Awaited<ReturnType<typeof guestOf>>

async function comment(guest: Guest, { as, collection }: World): Promise<string> {
  const { body } = await as('ada').post('/api/post', { type: 'note', title: 'Snow', collectionIds: [collection.id] })
  return (await guest.post(`/api/post/${body.post.id}/comments`, { collection_id: collection.id, text: 'So white' })).body.comment.id
}
const deletion = (guest: Guest, id: string) => () => guest.delete(`/api/comments/${id}`)

test.each(REPEATED)('%s too often gets 429 for a guest, and for all guests of a link together', async (_what, action, prepare) => {
  const w = await world()
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' }, { name: 'Oma' })
  const call = await prepare(guest, w)
  const { perUser, perLink } = ATTEMPTS[action]
  for (const [subject, allowed] of [[`user:guest:${guest.guest.id}`, perUser] as const, [`link:${guest.link}`, perLink] as const]) {
    const key = await attemptKey(action, subject)
    await w.sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${allowed * 1000}, now() + interval '5 minutes')
      on conflict (key) do update set tries = excluded.tries`
    const before = await w.changes()
    const refused = await call()
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited'])
    expect(await w.changes()).toEqual(before)
    await w.sql`delete from rate_limits where key = ${key}`
  }
  expect((await call()).status).toBe(200)
})

test('An invalid request does not count against the rate limit', async () => {
  const w = await world()
  const count = async () =>
    (await w.sql`select tries from rate_limits where key = ${await attemptKey('invite', `user:${w.as('ada').id}`)}`)[0]?.tries
  expect((await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: 'nobody' })).status).toBe(400)
  expect(await count()).toBeUndefined()
})
