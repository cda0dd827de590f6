import { afterEach, expect, test } from 'vitest'
import type { Client } from '../../dev/http-client.ts'
import { type GuestClient, guestOf, makeLink } from '../support/guests.ts'
import { type World, world } from '../support/world.ts'
import { enter, type LiveSocket } from './live-socket.ts'

const sockets: LiveSocket[] = []
const room = (w: World) => `collection:${w.collection.id}`

async function join(client: Client, w: World): Promise<LiveSocket> {
  const socket = await enter(client, room(w))
  sockets.push(socket)
  return socket
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.leave()
})

test('A guest hears that the collection moved, and who is there by name, and nothing more', async () => {
  const w = await world({ bob: 'read', noname: 'read' })
  await w.as('noname').put('/api/users/profile', { firstName: '', lastName: '' })
  const bob = await join(w.as('bob'), w)
  bob.say({ type: 'presence', view: 'media', itemId: w.collection.id })
  await bob.until('presence', (all) => all.some(({ present }) => present.some(({ view }) => view === 'media')))
  const noname = await join(w.as('noname'), w)
  noname.say({ type: 'presence', view: 'map' })
  const guest = await guestOf(w.as('ada'), w.collection.id)
  const oma = await join(guest, w)
  const { status } = await w.as('ada').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [w.collection.id] })
  expect(status).toBe(201)
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: 'new@example.org', role: 'read' })
  const changes = await oma.until('change', (all) => all.length >= 1)
  for (const { revision, ...change } of changes)
    expect(change).toEqual({ type: 'change', table: 'collections', event: 'UPDATE', collection_id: w.collection.id })
  await oma.until('presence', (all) => all.some(({ present }) => present.length === 2))
  expect(oma.last('presence')).toEqual({ type: 'presence', present: [{ name: 'A member' }, { name: 'Bob Test' }] })
  for (const name of ['bob', 'noname', 'ada'])
    for (const secret of [w.as(name).id, w.as(name).email.split('@')[0] ?? '']) expect(oma.raw.join('\n')).not.toContain(secret)
})

test('Members see guests as guests, by the name that they give, and nobody sees where a guest looks', async () => {
  const w = await world({ bob: 'read' })
  const bob = await join(w.as('bob'), w)
  bob.say({ type: 'presence', view: 'media' })
  const link = await makeLink(w.as('ada'), w.collection.id, { allows: 'answer' })
  const [grandma, grandpa] = [await guestOf(w.as('ada'), w.collection.id, {}, {}, link), await guestOf(w.as('ada'), w.collection.id)]
  const [hers, his] = [await join(grandma, w), await join(grandpa, w)]
  hers.say({ type: 'presence', view: 'map', itemId: w.collection.id })
  const guestsSeen = (name: string) =>
    bob.until('presence', (all) =>
      [grandma, grandpa].every(({ guest: { id } }, n) =>
        all.at(-1)?.present.some((one) => one.id === `guest:${id}` && one.name === (n === 0 ? name : 'A guest')),
      ),
    )
  await guestsSeen('A guest')
  expect((await grandma.put('/api/guest', { name: 'Grandma' })).status).toBe(200)
  await guestsSeen('Grandma (guest)')
  expect(bob.last('presence')?.present).toContainEqual({ id: `guest:${grandma.guest.id}`, name: 'Grandma (guest)', guest: true })
  await his.until('presence', (all) => all.at(-1)?.present.some(({ name }) => name === 'Grandma (guest)') === true)
  expect(his.last('presence')?.present).toEqual([{ name: 'Bob Test' }, { name: 'Grandma (guest)' }])
  // Again, with nothing else changed meanwhile, and for who joins after it.
  expect((await grandma.put('/api/guest', { name: 'Oma' })).status).toBe(200)
  await guestsSeen('Oma (guest)')
  const again = await join(w.as('bob'), w)
  expect(again.last('hello')?.present).toContainEqual({ id: `guest:${grandma.guest.id}`, name: 'Oma (guest)', guest: true })
  expect([...bob.raw, ...his.raw].join('\n')).not.toContain('"view":"map"')
  expect(his.raw.join('\n')).not.toMatch(/"(id|guest|view|itemId)":/)

  hers.leave()
  await his.until('presence', (all) => all.at(-1)?.present.every(({ name }) => name === 'Bob Test') === true)
  await bob.until('presence', (all) => all.at(-1)?.present.every(({ id }) => id !== `guest:${grandma.guest.id}`) === true)
})

test('Who hides where they are, and who is in none of the views, is not named to guests', async () => {
  const w = await world({ bob: 'read', cleo: 'read', dan: 'read' })
  const guest = await guestOf(w.as('ada'), w.collection.id)
  const oma = await join(guest, w)
  const [bob, cleo, dan] = [await join(w.as('bob'), w), await join(w.as('cleo'), w), await join(w.as('dan'), w)]
  for (const socket of [bob, dan]) socket.say({ type: 'presence', view: 'media' })
  cleo.say({ type: 'presence', view: 'elsewhere' })
  const named = (names: string[]) =>
    oma.until('presence', (all) => JSON.stringify(all.at(-1)?.present.map(({ name }) => name)) === JSON.stringify(names))
  await named(['Bob Test', 'Dan Test'])
  await w.as('dan').put('/api/users/profile', { sharesPresence: false })
  await named(['Bob Test'])
  cleo.say({ type: 'presence', view: 'media' })
  await named(['Bob Test', 'Cleo Test'])
  await w.as('bob').put('/api/users/profile', { firstName: 'Roberto' })
  await named(['Cleo Test', 'Roberto Test'])
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('cleo').id}`)
  await named(['Roberto Test'])
})

test.each([
  ['is ended', (w: World, guest: GuestClient) => w.as('ada').delete(`/api/collections/${w.collection.id}/links/${guest.link}`)],
  [
    'gets a password',
    (w: World, guest: GuestClient) =>
      w.as('ada').patch(`/api/collections/${w.collection.id}/links/${guest.link}`, { password: 'first snow' }),
  ],
  ['loses its maker', (w: World) => w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('amy').id}`)],
])('The socket of a guest closes at once when the link %s, and no ticket opens another', async (_, end) => {
  const w = await world({ amy: 'admin' })
  const [guest, other] = [await guestOf(w.as('amy'), w.collection.id), await guestOf(w.as('ada'), w.collection.id)]
  const [oma, opa] = [await join(guest, w), await join(other, w)]
  const before = performance.now()
  expect((await end(w, guest)).status).toBe(200)
  expect(await oma.untilClosed()).toEqual({ code: 4001, reason: 'role' })
  expect(performance.now() - before).toBeLessThan(3_000)
  expect(opa.closed).toBeNull()
  expect((await guest.post('/api/live/ticket', { room: room(w) })).status).toBe(401)
})

test('A guest enters the room of the collection alone', async () => {
  const w = await world()
  const guest = await guestOf(w.as('ada'), w.collection.id)
  const other = (await w.as('ada').post('/api/collections', { name: 'Another' })).body.collection.id
  for (const name of [`collection:${other}`, `user:${w.as('ada').id}`, `user:guest.3a${guest.guest.id}`])
    expect((await guest.post('/api/live/ticket', { room: name })).status, name).toBe(404)
})

// Many, since a room has one alarm for all of them, and the time until their links end has fractions of milliseconds.
test('The socket of every guest closes when the link ends', async () => {
  const w = await world()
  const soon = Date.now() + 4_000
  const enterUntil = async (time: number) => join(await guestOf(w.as('ada'), w.collection.id, { endsAt: new Date(time).toISOString() }), w)
  const guests = await Promise.all(Array.from({ length: 16 }, (_, n) => enterUntil(soon + n * 20)))
  for (const guest of guests) expect(await guest.untilClosed(20_000)).toEqual({ code: 4000, reason: 'expired' })
})
