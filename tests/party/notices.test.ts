import { afterAll, beforeAll, expect, test } from 'vitest'
import { age, browserOf, note, type PushService, startPushService } from '../support/push-service.ts'
import { collectionOf } from '../support/rows.ts'
import { runMinutesTask } from '../support/storage.ts'
import { world } from '../support/world.ts'
import { enter } from './live-socket.ts'

// Members who are present in a room are not notified.

let service: PushService

beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service?.stop())

test('Members who have the collection open in a tab that they do not look at are notified', async () => {
  const w = await world({ bob: 'read', carol: 'read' })
  const [bob, carol] = [await browserOf(service, w, 'bob'), await browserOf(service, w, 'carol')]
  const left = await enter(w.as('bob'), `collection:${w.collection.id}`)
  const looked = await enter(w.as('carol'), `collection:${w.collection.id}`)
  left.say({ type: 'presence', view: 'elsewhere' })
  looked.say({ type: 'presence', view: 'timeline' })
  await looked.until('presence', (lists) => (lists.at(-1)?.present.filter(({ view }) => view).length ?? 0) === 2)
  await note(w, 'ada')
  await age(w)
  await runMinutesTask()
  await expect.poll(bob.bodies).toEqual(['Kyoto: Ada Test added 1 post'])
  expect(carol.attempts()).toBe(0)
  for (const room of [left, looked]) room.leave()
})

test('Muted collections, open rooms and items already seen in the feed are not pushed', async () => {
  const w = await world({ bob: 'read' })
  const bob = await browserOf(service, w, 'bob')
  const [muted, inside, seen, notified] = [
    w.collection.id,
    ...(await Promise.all([1, 2, 3].map(() => collectionOf(w, 'ada', { bob: 'read' })))),
  ]
  if (!inside || !seen || !notified) throw new Error('There are too few collections')
  expect((await w.as('bob').put(`/api/collections/${muted}/notices`, { muted: true })).body.notices).toEqual({ muted: true, weekly: false })
  const room = await enter(w.as('bob'), `collection:${inside}`)
  room.say({ type: 'presence', view: 'timeline' })
  await room.until('presence', (lists) => lists.at(-1)?.present.some(({ view }) => view === 'timeline') ?? false)
  for (const id of [muted, inside, seen, notified]) await note(w, 'ada', id)
  for (const id of [muted, inside, notified]) await age(w, 6, id)
  await age(w, 20, seen)
  await w.sql`insert into feed_visits (user_id, seen_at) values (${w.as('bob').id}, now() - interval '10 minutes')`
  await w.sql`update collections set name = 'Nara' where id = ${notified}`
  await runMinutesTask()
  await expect.poll(bob.bodies).toEqual(['Nara: Ada Test added 1 post'])
  room.leave()

  // Later changes are announced again, but not those made while it was muted.
  await w.as('bob').put(`/api/collections/${muted}/notices`, { muted: false })
  await age(w, 6, muted)
  await note(w, 'ada', muted)
  await w.sql`update post_collections set added_at = now() - interval '5 minutes 30 seconds'
    where collection_id = ${muted} and added_at > now() - interval '5 minutes'`
  await runMinutesTask()
  await expect.poll(bob.bodies).toEqual([expect.anything(), 'Kyoto: Ada Test added 1 post'])
})
