import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { newSince } from '../../web/lib/feed/entries.ts'
import { begin, jpegLike, sendParts, upload } from '../support/files.ts'
import { makeLink, secretOf } from '../support/guests.ts'
import { age, browserOf, note, type PushService, startPushService } from '../support/push-service.ts'
import { collectionOf } from '../support/rows.ts'
import { reseal } from '../support/sessions.ts'
import { runMinutesTask } from '../support/storage.ts'
import { talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let service: PushService

beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service?.stop())

const subscriptions = (w: World, name: string) => w.sql`select endpoint from push_subscriptions where user_id = ${w.as(name).id}`

test('An invitation is pushed at once, encrypted for the browser and signed with the key it subscribed with', async () => {
  const w = await world({ bob: null })
  const bob = await browserOf(service, w, 'bob')
  const { key } = (await w.as('bob').get('/api/push')).body
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('bob').email, role: 'read' })
  await expect
    .poll(bob.bodies)
    .toEqual(['You are invited to a collection on Cairn: Ada Test would like to share the collection “Kyoto” with you'])
  const [received] = bob.received
  expect(received?.message).toMatchObject({ path: '/collections', unseen: 1 })
  expect(received?.sender).toMatchObject({ aud: service.origin, sub: 'mailto:nobody@example.org', key })
  const hours = ((received?.sender.exp ?? 0) * 1000 - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(0)
  expect(hours).toBeLessThanOrEqual(24)
  expect(received?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
})

test('A request to join is pushed to those who may answer it, with what the buttons of the notification need', async () => {
  const w = await world({ amy: 'admin', wes: 'write', eve: null })
  const [amy, wes, eve] = [await browserOf(service, w, 'amy'), await browserOf(service, w, 'wes'), w.as('eve')]
  const { id: collectionId } = w.collection
  const { id: link, url } = await makeLink(w.as('ada'), collectionId, { join: true })
  await eve.post(`/api/links/${secretOf(url)}/enter`, {})
  const { id } = (await eve.post(`/api/collections/${collectionId}/join-requests`, { link })).body.request
  await expect.poll(amy.bodies).toEqual(['Kyoto: Eve Test would like to become a member'])
  const path = `/collections/settings?c=${collectionId}#requests`
  expect(amy.received[0]?.message).toMatchObject({ path, joinRequest: { id, collectionId } })
  expect(wes.received).toEqual([])
})

test('Names of a hundred large emoji are shortened, and notifications still arrive', async () => {
  const w = await world({ bob: null, carol: 'read' })
  const [bob, carol] = [await browserOf(service, w, 'bob'), await browserOf(service, w, 'carol')]
  const name = '👨‍👩‍👧‍👦'.repeat(100)
  expect((await w.as('ada').put(`/api/collections/${w.collection.id}`, { name })).status).toBe(200)
  expect((await w.as('ada').put('/api/users/profile', { firstName: name, lastName: '"'.repeat(100) })).status).toBe(200)
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('bob').email, role: 'read' })
  const shortened = (end: string) => expect.stringMatching(new RegExp(`^👨‍👩‍👧‍👦.{100,600}…${end}$`, 'u'))
  await expect
    .poll(() => bob.received[0]?.message.body)
    .toMatch(/^👨‍👩‍👧‍👦.{20,60} would like to share the collection “👨‍👩‍👧‍👦.{20,60}” with you$/u)
  await note(w, 'ada')
  await age(w)
  await runMinutesTask()
  await expect.poll(() => carol.received[0]?.message).toMatchObject({ title: shortened(''), body: shortened(' added 1 post') })
  for (const person of ['bob', 'carol']) expect(await subscriptions(w, person)).toHaveLength(1)
})

test('A user with an unconfirmed address gets no notification of invitations to it', async () => {
  const w = await world({ bob: null, eve: null })
  await w.sql`update auth."user" set "emailVerified" = false where email = ${w.as('eve').email}`
  await w.as('eve').post('/api/auth/refresh')
  const [bob, eve] = [await browserOf(service, w, 'bob'), await browserOf(service, w, 'eve')]
  for (const name of ['eve', 'bob']) {
    await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as(name).email, role: 'read' })
  }
  await expect.poll(bob.bodies).toHaveLength(1)
  expect(eve.attempts()).toBe(0)
})

test('Additions by others are pushed once, together, and not to their authors', async () => {
  const w = await world({ bob: 'write', carol: 'read' })
  const [ada, bob, carol] = [await browserOf(service, w, 'ada'), await browserOf(service, w, 'bob'), await browserOf(service, w, 'carol')]
  for (let n = 0; n < 3; n++) await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
  await note(w, 'ada')
  await age(w)
  await note(w, 'bob')
  await Promise.all([runMinutesTask(), runMinutesTask()])
  await expect.poll(carol.bodies).toEqual(['Kyoto: Bob Test and 1 other added 3 photos and 2 posts'])
  await expect.poll(bob.bodies).toEqual(['Kyoto: Ada Test added 3 photos and 1 post'])
  // Three groups, and Bob, who has joined.
  expect(carol.received[0]?.message).toMatchObject({ path: '/feed', unseen: 4 })
  // Changes new to ada are too recent to notify her of, and the others have just been notified.
  await age(w, 3)
  await note(w, 'ada')
  await runMinutesTask()
  expect(ada.attempts()).toBe(0)
  await age(w, 4)
  await runMinutesTask()
  await expect.poll(ada.bodies).toEqual(['Kyoto: Bob Test added 1 post'])
  await expect.poll(carol.bodies).toHaveLength(1)
  await age(w, 2)
  await runMinutesTask()
  await expect.poll(carol.bodies).toEqual([expect.anything(), 'Kyoto: Ada Test added 1 post'])
})

test('A Live Photo that was added is one photo', async () => {
  const w = await world({ bob: 'read', cy: 'write' })
  const bob = await browserOf(service, w, 'bob')
  const add = (who: string, type: string) => upload(w.as(who), jpegLike(), { collectionIds: [w.collection.id], name: 'a', type })
  const [photo, film] = [await add('ada', 'image/jpeg'), await add('ada', 'video/mp4')]
  await w.sql`update assets set type = 'video/mp4' where id = ${film.id}`
  await w.as('ada').post(`/api/collections/${w.collection.id}/groups`, { assetIds: [photo.id, film.id], cover: photo.id })
  await age(w)
  await runMinutesTask()
  await expect.poll(bob.bodies).toEqual(['Kyoto: Ada Test added 1 photo'])
})

test('A file whose upload began before the last notification is new once it has arrived', async () => {
  const w = await world({ bob: 'read' })
  const bob = await browserOf(service, w, 'bob')
  const bytes = jpegLike()
  const { id } = await begin(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
  await sendParts(w.as('ada'), id, bytes)
  await age(w, 20)
  await w.sql`insert into notices (collection_id, user_id, told_at) values (${w.collection.id}, ${w.as('bob').id}, now())`
  await w.sql`insert into feed_visits (user_id, seen_at) values (${w.as('bob').id}, now() - interval '10 minutes')`
  expect((await w.as('ada').post(`/api/asset/${id}/complete`)).status).toBe(200)
  const { items, seenAt } = (await w.as('bob').get('/api/feed')).body
  expect(Date.parse(items[0].at)).toBeGreaterThan(Date.parse(seenAt))
  await w.sql`update feed_visits set seen_at = seen_at - interval '6 minutes' where user_id = ${w.as('bob').id}`
  await age(w)
  await runMinutesTask()
  await expect.poll(bob.bodies).toEqual(['Kyoto: Ada Test added 1 photo'])
  expect(bob.received[0]?.message.unseen).toBe(1)
})

test('A photo that comes back from the trash is no news', async () => {
  const w = await world({ bob: 'read' })
  const { id } = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
  await age(w)
  const added = () => w.sql`select added_at from asset_collections where asset_id = ${id}`
  const before = await added()
  expect((await w.as('ada').delete(`/api/asset/${id}`)).status).toBe(200)
  expect((await w.as('ada').post('/api/trash/restore', { assetIds: [id] })).status).toBe(200)
  expect(await added()).toEqual(before)
})

test('An unsubscribed browser is deleted, and one whose push service fails is not', async () => {
  const w = await world({ bob: null })
  const bob = await browserOf(service, w, 'bob')
  const invite = (role: string) =>
    w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('bob').email, role })
  try {
    service.answer = 503
    await invite('read')
    await expect.poll(bob.attempts).toBe(1)
    service.answer = 410
    await invite('write')
    await expect.poll(bob.attempts).toBe(2)
    await expect.poll(() => subscriptions(w, 'bob')).toEqual([])
  } finally {
    service.answer = 201
  }
})

test('A browser belongs to its last subscriber, and to no user after unsubscribing', async () => {
  const w = await world({ bob: null })
  const { subscription } = service.browser()
  const { endpoint } = subscription
  const told = async () => {
    const answers = await Promise.all(['ada', 'bob'].map((name) => w.as(name).get(`/api/push?${new URLSearchParams({ endpoint })}`)))
    return answers.map(({ body }) => body.subscribed)
  }
  for (const name of ['ada', 'bob']) await w.as(name).post('/api/push/subscriptions', subscription)
  expect(await subscriptions(w, 'ada')).toEqual([])
  expect(await told()).toEqual([false, true])
  expect((await w.as('ada').delete('/api/push/subscriptions', { endpoint })).status).toBe(200)
  expect(await subscriptions(w, 'bob')).toEqual([{ endpoint }])
  expect((await w.as('bob').delete('/api/push/subscriptions', { endpoint })).status).toBe(200)
  expect(await subscriptions(w, 'bob')).toEqual([])
  expect(await told()).toEqual([false, false])
})

test('A browser that replaces its own subscription goes on without re-authentication, and no other does', async () => {
  const w = await world({ bob: null })
  const [old, mine] = [service.browser().subscription, service.browser().subscription]
  const post = (name: string, body: object) => w.as(name).post('/api/push/subscriptions', body)
  expect((await post('ada', old)).status).toBe(200)
  for (const name of ['ada', 'bob']) await reseal(w.as(name), { provenAt: Date.now() - 11 * 60_000 })
  const replaces = old.endpoint
  expect((await post('ada', mine)).status).toBe(403)
  expect((await post('ada', { ...mine, replaces: `${replaces}0` })).status).toBe(403)
  expect((await post('bob', { ...mine, replaces })).status).toBe(403)
  expect(await subscriptions(w, 'ada')).toEqual([{ endpoint: old.endpoint }])
  expect((await post('ada', { ...mine, replaces })).status).toBe(200)
  expect(await subscriptions(w, 'ada')).toEqual([{ endpoint: mine.endpoint }])
  // An answer that was lost: the browser sends the same again.
  expect((await post('ada', { ...mine, replaces })).status).toBe(200)
  expect(await subscriptions(w, 'ada')).toEqual([{ endpoint: mine.endpoint }])
})

test.each([
  ['another scheme', { endpoint: 'ftp://push.example.org/a' }],
  ['no encryption', { endpoint: 'http://push.example.org/a' }],
  ['a network address', { endpoint: 'https://10.0.0.1/a' }],
  ['an internal host name', { endpoint: 'https://intranet/a' }],
  ['an unknown push service', { endpoint: 'https://fcm.googleapis.com.example.net/a' }],
  ['a name that looks like a host', { endpoint: 'https://push.example@intranet/a' }],
  ['a password', { endpoint: 'https://user:secret@push.example.org/a' }],
  ['a very long address', { endpoint: `https://push.example.org/${'a'.repeat(1_000)}` }],
  ['a truncated key', { keys: { p256dh: 'BAAA', auth: 'A'.repeat(22) } }],
  ['an unknown field', { expirationTime: null }],
])('A subscription with %s is refused and not stored', async (_what, wrong) => {
  const w = await world()
  const { status } = await w.as('ada').post('/api/push/subscriptions', { ...service.browser().subscription, ...wrong })
  expect(status).toBe(400)
  expect(await subscriptions(w, 'ada')).toEqual([])
})

test('A subscription whose key is not a point on the curve is deleted', async () => {
  const w = await world({ bob: null })
  const { subscription, attempts } = service.browser()
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
  await w.as('bob').post('/api/push/subscriptions', { ...subscription, keys: { ...subscription.keys, p256dh } })
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('bob').email, role: 'read' })
  await expect.poll(() => subscriptions(w, 'bob')).toEqual([])
  expect(attempts()).toBe(0)
})

test('A deleted account gets no more notifications', async () => {
  const w = await world({ bob: null })
  await browserOf(service, w, 'bob')
  const end = { email: w.as('bob').email, items: 'leave', deleteCollections: [] }
  expect((await w.as('bob').delete('/api/users/profile', end)).status).toBe(200)
  expect(await subscriptions(w, 'bob')).toEqual([])
})

test('Comments are pushed together to those whom they concern, and to nobody else', async () => {
  const w = await world({ bob: 'write', carol: 'read', dora: 'read', eve: 'read', fred: 'read', gus: 'read', hal: 'read', zoe: null })
  const t = talkIn(w)
  const names = ['bob', 'carol', 'dora', 'eve', 'fred', 'gus', 'hal', 'zoe']
  const [bob, carol, dora, eve, fred, gus, hal, zoe] = await Promise.all(names.map((name) => browserOf(service, w, name)))
  const topic = await t.post('bob')
  // Gus is named, and was a member; Hal is named, and has seen it in the feed; Zoe is a stranger.
  const former = await t.person('Gus', w.as('gus').id)
  await t.said('gus', topic, 'I was here')
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('gus').id}`)
  const mentions = [await t.person('Dora', w.as('dora').id), await t.person('Hal', w.as('hal').id), former]
  await w.as('fred').put(`/api/collections/${w.collection.id}/notices`, { muted: true })
  await t.said('fred', topic, 'First')
  await t.said('carol', topic, 'Lovely')
  await t.said('ada', topic, 'With @Dora and @Hal, without @Gus', { mentions })
  // What is imported is no news.
  const old = { id: newId(), originalAuthor: 'Oma', text: 'Hi @Dora', mentions, createdAt: new Date().toISOString() }
  const imported = { collection_id: w.collection.id, comments: [old], reactions: [] }
  expect((await w.as('bob').post(`${t.pathOf(topic)}/imported-answers`, imported)).status).toBe(200)
  await w.sql`insert into feed_visits (user_id, seen_at) values (${w.as('hal').id}, now())`
  const oops = await t.said('eve', topic, 'Oops')
  await w.as('eve').delete(`/api/comments/${oops.id}`)
  await w.sql`update collections set created_at = created_at - interval '1 day' where id = ${w.collection.id}`
  await w.sql`update members set joined_at = joined_at - interval '1 day' where collection_id = ${w.collection.id}`
  await w.sql`update comments set created_at = created_at - interval '6 minutes' where collection_id = ${w.collection.id}`
  // What was added is for another notification.
  await w.sql`update notices set told_at = now() where collection_id = ${w.collection.id}`
  await Promise.all([runMinutesTask(), runMinutesTask()])
  await expect.poll(() => bob?.bodies()).toEqual(['Kyoto: Ada Test and 3 others wrote 4 comments'])
  await expect.poll(() => carol?.bodies()).toEqual(['Kyoto: Ada Test wrote a comment'])
  await expect.poll(() => dora?.bodies()).toEqual(['Kyoto: Ada Test mentioned you in a comment'])
  expect(bob?.received[0]?.message.path).toBe(`/collections/timeline?c=${w.collection.id}&item=${topic.id}#comments`)
  // With five others who have joined.
  expect([bob, carol, dora].map((browser) => browser?.received[0]?.message.unseen)).toEqual([6, 7, 7])
  expect([eve, fred, gus, hal, zoe].map((browser) => browser?.attempts())).toEqual([0, 0, 0, 0, 0])
  // Each is told once, and nobody of an item that has left.
  await t.said('carol', topic, 'Again')
  await w.sql`update comments set created_at = created_at - interval '6 minutes' where text = 'Again' and collection_id = ${w.collection.id}`
  await w.sql`update notices set answers_told_at = answers_told_at - interval '6 minutes' where collection_id = ${w.collection.id}`
  await w.as('bob').delete(t.pathOf(topic))
  await runMinutesTask()
  expect(bob?.bodies()).toHaveLength(1)
})

test('The badge counts what the app counts, also for those who never opened the feed, and no invitation to a deleted collection', async () => {
  const w = await world({ bob: 'read', carol: 'read', dora: null })
  const bob = await browserOf(service, w, 'bob')
  await note(w, 'ada')
  const [gone, open] = [await collectionOf(w, 'ada', {}), await collectionOf(w, 'ada', {})]
  await w.sql`update push_subscriptions set verified_email = ${w.as('bob').email} where user_id = ${w.as('bob').id}`
  for (const id of [gone, open])
    expect((await w.as('ada').post(`/api/collections/${id}/invites/invite`, { email: w.as('bob').email, role: 'read' })).status).toBe(200)
  expect((await w.as('ada').delete(`/api/collections/${gone}`)).status).toBe(200)
  await w.sql`update members set joined_at = now() where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
  await expect.poll(() => bob.received.length).toBe(2)
  const counted = async () => {
    const { items, seenAt } = (await w.as('bob').get('/api/feed')).body
    const { invitedCollections } = (await w.as('bob').get('/api/collections/invited')).body
    return newSince(items, seenAt, w.as('bob').id).length + invitedCollections.length
  }
  const pushed = async () => {
    const before = bob.received.length
    await w.as('ada').post(`/api/collections/${open}/invites/invite`, { email: w.as('bob').email, role: 'read' })
    await expect.poll(() => bob.received.length).toBe(before + 1)
    return bob.received.at(-1)?.message.unseen
  }
  // A post, Carol, and an invitation.
  expect([await pushed(), await counted()]).toEqual([3, 3])
  await w.sql`insert into feed_visits (user_id, seen_at) values (${w.as('bob').id}, now())`
  expect([await pushed(), await counted()]).toEqual([1, 1])
})
