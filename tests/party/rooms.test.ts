import { afterEach, expect, inject, test } from 'vitest'
import { ownRevision } from '../../contract/live.ts'
import { signTicket } from '../../worker/live/tickets.ts'
import { type Actor, type World, world } from '../support/world.ts'
import { enter, type LiveSocket, open, turnedAway } from './live-socket.ts'

const sockets: LiveSocket[] = []
const room = (w: World) => `collection:${w.collection.id}`

async function join(client: Actor, name: string): Promise<LiveSocket> {
  const socket = await enter(client, name)
  sockets.push(socket)
  return socket
}

function post(client: Actor, w: World, title = 'First snow') {
  return client.post('/api/post', { type: 'note', title, collectionIds: [w.collection.id] })
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.leave()
})

test("Another user's post arrives as a change without content, after the hello", async () => {
  const w = await world({ bob: 'read' })
  const bob = await join(w.as('bob'), room(w))
  const made = await post(w.as('ada'), w)
  expect(made.status).toBe(201)
  const [change] = await bob.until('change', (changes) => changes.some(({ table }) => table === 'post_collections'))
  expect(bob.received[0]).toMatchObject({ type: 'hello', room: room(w), present: [{ id: w.as('bob').id }] })
  expect(bob.last('change')).toEqual({
    type: 'change',
    table: 'post_collections',
    event: 'INSERT',
    id: made.body.post.id,
    collection_id: w.collection.id,
    revision: (await w.changes()).at(-1)?.revision,
  })
  expect(change?.revision).toBeGreaterThan(0)
})

test('The hello has the revision of the collection', async () => {
  const w = await world()
  await post(w.as('ada'), w)
  const { body } = await w.as('ada').get(`/api/collections/${w.collection.id}`)
  const ada = await join(w.as('ada'), room(w))
  expect(ada.last('hello')?.revision).toBe(body.collection.revision)
})

test("The hello of a user's own room stands for their collections and invitations", async () => {
  const w = await world({ bob: 'read' })
  const [ada, bob] = [w.as('ada'), w.as('bob')]
  const oslo = (await ada.post('/api/collections', { name: 'Oslo' })).body.collection.id
  const own = async () => {
    const [{ body: lists }, { body: invited }] = [await bob.get('/api/collections'), await bob.get('/api/collections/invited')]
    return ownRevision(lists.collections, invited.invitedCollections.length)
  }
  const helloOf = async () => (await join(bob, `user:${bob.id}`)).last('hello')?.revision
  const before = await helloOf()
  expect(before).toBe(await own())
  await ada.post(`/api/collections/${oslo}/invites/invite`, { email: bob.email, role: 'read' })
  const invited = await helloOf()
  expect(invited).toBe(await own())
  await bob.post(`/api/collections/${oslo}/invites/accept`)
  await post(ada, w)
  const after = await helloOf()
  expect(after).toBe(await own())
  expect(new Set([before, invited, after]).size).toBe(3)
})

test("A new name reaches the person's own room once, and the rooms of their collections", async () => {
  const w = await world({ bob: 'read', eve: null })
  const [bob, eve] = [w.as('bob'), w.as('eve')]
  await bob.post('/api/collections', { name: 'Oslo' })
  const [own, alone, ada] = [await join(bob, `user:${bob.id}`), await join(eve, `user:${eve.id}`), await join(w.as('ada'), room(w))]
  for (const person of [bob, eve]) await person.put('/api/users/profile', { firstName: 'New' })
  await ada.until('change', (changes) => changes.some(({ table }) => table === 'users'))
  expect(ada.last('change')).toMatchObject({ event: 'UPDATE', user_id: bob.id, collection_id: w.collection.id })
  await alone.until('change', (changes) => changes.some(({ table }) => table === 'users'))
  await own.until('change', (changes) => changes.some(({ table }) => table === 'users'))
  const change = { type: 'change', table: 'users', event: 'UPDATE', revision: 0 }
  const toldOf = (socket: LiveSocket) => socket.all('change').filter(({ table }) => table === 'users')
  expect(toldOf(own)).toEqual([{ ...change, id: bob.id, user_id: bob.id }])
  expect(toldOf(alone)).toEqual([{ ...change, id: eve.id, user_id: eve.id }])
  await bob.put('/api/users/profile', { sharesPresence: false })
  await own.until('change', () => toldOf(own).length === 2)
})

test("An invitation reaches the invited user's own room", async () => {
  const w = await world({ bob: null })
  const bob = await join(w.as('bob'), `user:${w.as('bob').id}`)
  const sent = await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('bob').email, role: 'read' })
  expect(sent.status).toBe(200)
  await bob.until('change', (changes) => changes.some(({ table, event }) => table === 'invites' && event === 'INSERT'))
  expect(bob.last('change')).toMatchObject({ collection_id: w.collection.id, user_id: w.as('bob').id })
})

test('Admins hear of an invitation in the room of its collection, writers and readers do not', async () => {
  const w = await world({ amy: 'admin', wes: 'write', rita: 'read' })
  const sockets = await Promise.all(['ada', 'amy', 'wes', 'rita'].map((name) => join(w.as(name), room(w))))
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: 'new@example.org', role: 'read' })
  await post(w.as('ada'), w)
  for (const socket of sockets) await socket.until('change', (changes) => changes.some(({ table }) => table === 'post_collections'))
  const heard = sockets.map((socket) => socket.all('change').filter(({ table }) => table === 'invites').length)
  expect(heard).toEqual([1, 1, 0, 0])
})

test("A new collection is told in its owner's own room", async () => {
  const w = await world()
  const ada = await join(w.as('ada'), `user:${w.as('ada').id}`)
  const { body } = await w.as('ada').post('/api/collections', { name: 'Nara' })
  const { id } = body.collection
  await ada.until('change', (changes) =>
    changes.some(({ table, event, collection_id }) => table === 'collections' && event === 'INSERT' && collection_id === id),
  )
})

test('A user with an unconfirmed address gets no message about an invitation to it', async () => {
  const w = await world({ bob: null })
  const bob = w.as('bob')
  await w.sql`update auth."user" set "emailVerified" = false where email = ${bob.email}`
  const before = await join(bob, `user:${bob.id}`)
  const invite = (role: string) => w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: bob.email, role })
  expect((await invite('read')).status).toBe(200)
  await w.sql`update auth."user" set "emailVerified" = true where email = ${bob.email}`
  const after = await join(bob, `user:${bob.id}`)
  expect((await invite('write')).status).toBe(200)
  await after.until('change', (changes) => changes.some(({ table }) => table === 'invites'))
  expect(before.all('change')).toEqual([])
})

test("The minute's task publishes changes that a dead worker did not", async () => {
  const w = await world({ bob: 'read', cleo: null })
  const bob = await join(w.as('bob'), room(w))
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('cleo').id}, 'read')`
  const told = () => bob.all('change').some(({ table, user_id }) => table === 'members' && user_id === w.as('cleo').id)
  // Other tests write to the database directly, too, and one run publishes only so many of the changes.
  await expect
    .poll(async () => {
      expect((await fetch(`${inject('stack').control}/scheduled`, { method: 'POST' })).status).toBe(200)
      return told()
    })
    .toBe(true)
})

test('Presence shows each user once with their view, until they leave', async () => {
  const w = await world({ bob: 'read' })
  const [ada, bobTab] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  const otherTab = await join(w.as('bob'), room(w))
  otherTab.say({ type: 'presence', view: 'map' })
  const bobIs = (view: string | undefined) => async () =>
    ada.until('presence', (all) => {
      const bobs = all.at(-1)?.present.filter(({ id }) => id === w.as('bob').id)
      return bobs?.length === 1 && bobs[0]?.view === view
    })
  await bobIs('map')()
  expect(ada.last('presence')?.present.map(({ name }) => name)).toEqual(['Ada Test', 'Bob Test'])
  otherTab.leave()
  await bobIs(undefined)()
  bobTab.leave()
  await ada.until('presence', (all) => all.at(-1)?.present.length === 1)
})

test('A hidden user is not present in open and new sockets until they show themselves again', async () => {
  const w = await world({ bob: 'read', cleo: 'read' })
  const [ada, bob] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  const share = (sharesPresence: boolean) => w.as('bob').put('/api/users/profile', { sharesPresence })
  const present = (names: string[]) =>
    ada.until('presence', (all) => JSON.stringify(all.at(-1)?.present.map(({ name }) => name)) === JSON.stringify(names))
  await present(['Ada Test', 'Bob Test'])
  await share(false)
  await present(['Ada Test'])
  const again = await join(w.as('bob'), room(w))
  for (const socket of [bob, again]) socket.say({ type: 'presence', view: 'map' })
  expect((await join(w.as('cleo'), room(w))).last('hello')?.present.map(({ name }) => name)).toEqual(['Ada Test', 'Cleo Test'])
  await present(['Ada Test', 'Cleo Test'])
  await share(true)
  await present(['Ada Test', 'Bob Test', 'Cleo Test'])
})

test('A ping is answered with a pong', async () => {
  const w = await world()
  const ada = await join(w.as('ada'), room(w))
  ada.say('ping')
  await expect.poll(() => ada.raw).toContain('pong')
})

test.each([
  ['3 KB', 'x'.repeat(3_000), { code: 1009, reason: 'too_large' }],
  ['binary', new Uint8Array(8), { code: 1003, reason: 'binary' }],
])('%s closes the socket with its reason, and the room stays open', async (_, message, end) => {
  const w = await world({ bob: 'read' })
  const [ada, bob] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  bob.say(message)
  expect(await bob.untilClosed()).toEqual(end)
  expect(bob.received.at(-1)).toEqual({ type: 'bye', reason: end.reason })
  await post(w.as('ada'), w)
  await ada.until('change', ({ length }) => length > 0)
})

test('A hundred messages at once close the socket, and the room stays open', async () => {
  const w = await world({ bob: 'read' })
  const [ada, bob] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  for (let i = 0; i < 100; i++) bob.say({ type: 'presence', view: `view-${i}` })
  expect(await bob.untilClosed()).toEqual({ code: 1008, reason: 'too_fast' })
  await post(w.as('ada'), w)
  await ada.until('change', ({ length }) => length > 0)
  expect(ada.all('presence').length).toBeLessThan(20)
})

test('Invalid JSON, unknown types and a forged identity are ignored', async () => {
  const w = await world({ bob: 'read' })
  const [ada, bob] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  bob.say('{')
  bob.say({ type: 'change', table: 'members', event: 'DELETE', revision: 1_000_000 })
  bob.say({ type: 'presence', view: 'map', id: w.as('ada').id, name: 'Ada Test' })
  bob.say({ type: 'presence', view: 'calendar' })
  await ada.until('presence', (all) => all.at(-1)?.present.some(({ view }) => view === 'calendar') ?? false)
  expect(ada.last('presence')?.present).toEqual([
    { id: w.as('ada').id, name: 'Ada Test' },
    { id: w.as('bob').id, name: 'Bob Test', view: 'calendar' },
  ])
  expect(ada.all('change').some(({ revision }) => revision === 1_000_000)).toBe(false)
  expect(bob.closed).toBeNull()
})

test('A removed member is disconnected at once, and an earlier ticket is refused', async () => {
  const w = await world({ bob: 'write', cleo: 'read' })
  const [bob, cleo] = [await join(w.as('bob'), room(w)), await join(w.as('cleo'), room(w))]
  const { body: before } = await w.as('bob').post('/api/live/ticket', { room: room(w) })
  const removed = await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
  expect(removed.status).toBe(200)
  expect(await bob.untilClosed()).toEqual({ code: 4003, reason: 'removed' })
  expect(bob.received.at(-1)).toEqual({ type: 'bye', reason: 'removed' })
  expect([403, 'removed']).toContain(await turnedAway(`${before.url}?ticket=${before.ticket}`))
  expect((await w.as('bob').post('/api/live/ticket', { room: room(w) })).status).toBe(404)
  expect(cleo.closed).toBeNull()
  await cleo.until('change', (changes) =>
    changes.some(({ table, event, user_id: user }) => table === 'members' && event === 'DELETE' && user === w.as('bob').id),
  )
})

test('A client that leaves at the bye is disconnected at once', async () => {
  const w = await world({ bob: 'write' })
  const bob = await join(w.as('bob'), room(w))
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
  await bob.until('bye', ({ length }) => length === 1)
  bob.leave()
  // Well before workerd itself gives up on the connection.
  await expect.poll(() => bob.closed, { timeout: 5_000, interval: 10 }).not.toBeNull()
})

test('A lowered role closes the socket, and a new ticket opens it again', async () => {
  const w = await world({ bob: 'admin' })
  const bob = await join(w.as('bob'), room(w))
  const lowered = await w.as('ada').put(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`, { role: 'read' })
  expect(lowered.status).toBe(200)
  expect(await bob.untilClosed()).toEqual({ code: 4001, reason: 'role' })
  await join(w.as('bob'), room(w))
})

test('A deleted collection closes the room for everyone', async () => {
  const w = await world({ bob: 'read' })
  const [ada, bob] = [await join(w.as('ada'), room(w)), await join(w.as('bob'), room(w))]
  expect((await w.as('ada').delete(`/api/collections/${w.collection.id}`)).status).toBe(200)
  for (const socket of [ada, bob]) expect(await socket.untilClosed()).toEqual({ code: 4004, reason: 'deleted' })
})

test('An expired socket is closed with a bye', async () => {
  const w = await world()
  const { liveKey, rooms } = inject('stack')
  const [session] = await w.sql`select id from sessions where user_id = ${w.as('ada').id}`
  const claims = {
    room: room(w),
    sub: w.as('ada').id,
    access: String(session?.id),
    name: 'Ada',
    hidden: false,
    role: 'owner',
    revision: 1,
    confirmed: true,
  } as const
  const ticket = await signTicket({ LIVE_KEY: liveKey }, claims, 1)
  const ada = await open(`${rooms.origin.replace('http', 'ws')}/parties/room/${room(w)}?ticket=${ticket.ticket}`)
  expect(await ada.untilClosed()).toEqual({ code: 4000, reason: 'expired' })
  expect(ada.received[0]?.type).toBe('hello')
  expect(ada.received.at(-1)?.type).toBe('bye')
})
