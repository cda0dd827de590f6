import { SignJWT } from 'jose'
import { expect, inject, test } from 'vitest'
import { localSql } from '../../dev/neon.ts'
import { signPublication } from '../../party/signed-publication.ts'
import { ticketKey } from '../../party/ticket.ts'
import { scriptOf } from '../support/tokens.ts'
import { type World, world } from '../support/world.ts'
import { enter, refusal } from './live-socket.ts'

const { databaseUrl, liveKey, rooms } = inject('stack')
/** Any key will do if rooms accept no publications over HTTP. */
const publishKey = rooms.publishKey ?? 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I='
const plain = (secret: string) => new TextEncoder().encode(secret)
const roomOf = (w: World) => `collection:${w.collection.id}`

/** Signed for a session of the user. */
async function sign(claims: { room: string; sub: string; role?: null }, { key, age = 0 }: { key?: Uint8Array; age?: number } = {}) {
  const [session] = await localSql(databaseUrl)`select id from sessions where user_id = ${claims.sub}`
  const issued = Math.floor(Date.now() / 1000) - age
  return new SignJWT({ name: 'Bob', life: 900, role: 'read', revision: 1, confirmed: true, access: session?.id, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(issued)
    .setExpirationTime(issued + 60)
    .sign(key ?? (await ticketKey(liveKey)))
}

function address(room: string, ticket?: string): string {
  const base = `${rooms.origin.replace('http', 'ws')}/parties/room/${room}`
  return ticket === undefined ? base : `${base}?ticket=${ticket}`
}

/** Status of a room's answer to an external request. */
async function send(room: string, init: RequestInit = { method: 'POST' }, query = ''): Promise<number> {
  const response = await fetch(`${rooms.origin}/parties/room/${room}${query}`, init)
  await response.arrayBuffer()
  return response.status
}

test("A ticket is issued only to members and for the user's own room", async () => {
  const w = await world({ bob: 'read', eve: null })
  const ask = (who: string, room: string) => w.as(who).post('/api/live/ticket', { room })
  const room = roomOf(w)
  const { status, body } = await ask('bob', room)
  expect(status).toBe(200)
  expect(body.url).toBe(address(room))
  expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now())
  expect((await ask('eve', room)).status).toBe(404)
  expect((await ask('eve', `user:${w.as('eve').id}`)).status).toBe(200)
  expect((await ask('eve', `user:${w.as('ada').id}`)).status).toBe(404)
  expect((await ask('bob', room.toUpperCase().replace('COLLECTION', 'collection'))).status).toBe(404)
  expect((await ask('bob', 'collection:nothing')).status).toBe(404)
  expect((await ask('bob', 'lobby')).status).toBe(400)
  expect((await w.anonymous.post('/api/live/ticket', { room })).status).toBe(401)
})

test('A room opens only for its own ticket', async () => {
  const w = await world({ bob: 'read', eve: null })
  const room = roomOf(w)
  const bob = w.as('bob').id
  const good = await sign({ room, sub: bob })
  expect(await refusal(address(room, good))).toBe(101)
  expect(await refusal(address(room)), 'missing').toBe(401)
  expect(await refusal(address(room, 'x.y.z')), 'nonsense').toBe(401)
  expect(await refusal(address(room, `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${good.split('.')[1]}.`)), 'unsigned').toBe(401)
  expect(await refusal(address(room, await sign({ room, sub: bob }, { age: 61 }))), 'replayed after 60 s').toBe(401)
  for (const key of [plain(liveKey), plain(publishKey), await ticketKey(publishKey)]) {
    expect(await refusal(address(room, await sign({ room, sub: bob }, { key }))), 'signed with another key').toBe(401)
  }
  expect(await refusal(address(`user:${bob}`, good)), 'another room').toBe(403)
  expect(await refusal(address(room.replace(':', '%3A'), good)), 'another spelling').toBe(403)
  expect(await refusal(address(room, await sign({ room, sub: w.as('eve').id, role: null }))), 'not a member').toBe(403)
  const own = `user:${w.as('ada').id}`
  expect(await refusal(address(own, await sign({ room: own, sub: bob, role: null }))), "another's own room").toBe(403)
})

test('The sockets of an access token close when it expires', async () => {
  const w = await world()
  const script = await scriptOf(w.as('ada'), 'write')
  await w.sql`update tokens set expires_at = now() + interval '5 seconds' where user_id = ${w.as('ada').id}`
  const sockets = await Promise.all([roomOf(w), `user:${w.as('ada').id}`].map((room) => enter(script, room)))
  for (const socket of sockets) expect(await socket.untilClosed(20_000)).toEqual({ code: 4000, reason: 'expired' })
})

test('External requests cannot publish', async () => {
  const w = await world({ bob: 'write' })
  const room = roomOf(w)
  const bob = await enter(w.as('bob'), room)
  const body = JSON.stringify({ changes: [{ type: 'change', table: 'collections', event: 'DELETE', revision: 1_000_000 }] })
  const bearer = (token: string) => ({ method: 'POST', body, headers: { authorization: `Bearer ${token}` } })
  const ticket = await sign({ room, sub: w.as('bob').id })
  expect(await send(room, { method: 'POST', body })).toBe(403)
  expect(await send(room, { method: 'POST', body }, `?ticket=${ticket}`), 'with a ticket').toBe(403)
  expect(await send(room, bearer(ticket)), 'with a ticket as a signature').toBe(403)
  for (const key of [plain(publishKey), plain(liveKey)]) {
    expect(await send(room, bearer(await sign({ room, sub: w.as('bob').id }, { key })))).toBe(403)
  }
  const headers = { authorization: await signPublication(liveKey, room, body) }
  expect(await send(room, { method: 'POST', body, headers }), 'signed with the key of tickets').toBe(403)
  for (const method of ['PUT', 'DELETE', 'PATCH']) expect(await send(room, { method })).toBe(403)
  expect(await send(room, { method: 'GET' }, `?ticket=${ticket}`)).toBe(400)
  await w.as('ada').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [w.collection.id] })
  await bob.until('change', ({ length }) => length > 0)
  expect(bob.all('change').map(({ revision }) => revision)).not.toContain(1_000_000)
  bob.leave()
})

test.runIf(rooms.publishKey)('A signed publication is accepted once, unchanged, by its own room', async () => {
  const w = await world({ bob: 'write' })
  const [room, own] = [roomOf(w), `user:${w.as('bob').id}`]
  const bob = await enter(w.as('bob'), room)
  const say = (revision: number) => JSON.stringify({ changes: [{ type: 'change', table: 'collections', event: 'UPDATE', revision }] })
  const signed = async (body: string) => ({
    method: 'POST',
    body,
    headers: { authorization: await signPublication(publishKey, room, body) },
  })
  const good = await signed(say(1_001))
  expect(await send(room, { ...good, body: say(1_002) }), 'altered').toBe(403)
  expect(await send(own, good), 'for another room').toBe(403)
  expect(await send(room.replace(':', '%3A'), good), 'for another spelling').toBe(403)
  expect(await send(room, good)).toBe(204)
  expect(await send(room, good), 'replayed').toBe(409)
  expect(await send(room, await signed(say(1_003)))).toBe(204)
  await bob.until('change', (changes) => changes.some(({ revision }) => revision === 1_003))
  const received = bob.all('change').map(({ revision }) => revision)
  expect(received.filter((revision) => revision > 1_000)).toEqual([1_001, 1_003])
  bob.leave()
})
