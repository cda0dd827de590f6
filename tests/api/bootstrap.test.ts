import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { bootstrap } from '../../contract/bootstrap.ts'
import { newId } from '../../contract/ids.ts'
import type { Client } from '../../dev/http-client.ts'
import { open } from '../party/live-socket.ts'
import { jpegLike, upload } from '../support/files.ts'
import { type World, world } from '../support/world.ts'

const MEMBERS = { dee: 'admin', wes: 'write', rae: 'read' } as const

let w: World
beforeAll(async () => {
  w = await world({ ...MEMBERS, out: null })
  const collectionIds = [w.collection.id]
  await w.as('wes').post('/api/post', { type: 'note', title: 'Gate', collectionIds })
  await w.as('ada').post('/api/post', { type: 'event', title: 'Ferry', collectionIds })
  await upload(w.as('ada'), jpegLike(), { collectionIds })
  await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Grandmother' })
  const { body } = await w.as('dee').post('/api/collections', { name: 'Oslo' })
  for (const name of ['ada', 'rae'])
    await w.as('dee').post(`/api/collections/${body.collection.id}/invites/invite`, { email: w.as(name).email, role: 'read' })
  await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('out').email, role: 'write' })
  // From now on their sessions know that the address is confirmed.
  for (const name of ['ada', 'out', ...Object.keys(MEMBERS)]) await w.as(name).get('/api/collections/invited')
})

const inside = () => `/api/bootstrap?collection_id=${w.collection.id}`
const bodyOf = async (who: Client, path: string) => (await who.get(path)).body

describe('Each part is the answer of the call it stands for', () => {
  test.for(['ada', ...Object.keys(MEMBERS)])('for %s', async (name) => {
    const who = w.as(name)
    const { status, headers, body } = await who.get(inside())
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(bootstrap.response.safeParse(body).error).toBeUndefined()
    const { success: _, user, expiresAt, profile } = await bodyOf(who, '/api/auth/session')
    const of = async (path: string, field: string) => (await bodyOf(who, path))[field]
    const c = `/api/collections/${w.collection.id}`
    const page = async (path: string) => {
      const { success: _, ...rest } = await bodyOf(who, path)
      return rest
    }
    expect(body).toEqual({
      success: true,
      session: { user, expiresAt },
      profile,
      theme: await of('/api/users/theme', 'theme'),
      collections: await of('/api/collections', 'collections'),
      invitedCollections: await of('/api/collections/invited', 'invitedCollections'),
      tickets: [`user:${who.id}`, `collection:${w.collection.id}`].map((room) => ({
        room,
        url: expect.stringMatching(new RegExp(`/${room}$`)),
        ticket: expect.any(String),
        expiresAt: expect.any(String),
      })),
      revision: (await of(c, 'collection')).revision,
      members: await of(`${c}/members`, 'members'),
      people: await of(`${c}/people`, 'people'),
      ...(['ada', 'dee'].includes(name) && { invites: await of(`${c}/invites`, 'invites') }),
      content: {
        posts: await page(`/api/post?collection_id=${w.collection.id}&form=columns`),
        assets: await page(`/api/asset?collection_id=${w.collection.id}&form=columns`),
      },
    })
    expect(body.content.posts.posts.user).toHaveLength(2)
  })
})

test('Without a collection there is nothing of one, and without its content everything else', async () => {
  const whole = await bodyOf(w.as('rae'), inside())
  const { content: _, ...rest } = whole
  const without = (tickets: object[]) => expect.objectContaining({ tickets: tickets.map(() => expect.anything()) })
  const light = await bodyOf(w.as('rae'), `${inside()}&content=false`)
  expect(light).toEqual(without(whole.tickets))
  expect({ ...light, tickets: 0 }).toEqual({ ...rest, tickets: 0 })
  const outside = await bodyOf(w.as('rae'), '/api/bootstrap')
  const { revision: _r, members: _m, people: _p, ...own } = rest
  expect({ ...outside, tickets: outside.tickets.length }).toEqual({ ...own, tickets: 1 })
})

test.for(['collection of others', 'deleted collection', 'unknown id'])('A %s gives nothing of it', async (which) => {
  const gone = (await w.as('out').post('/api/collections', { name: 'Gone' })).body.collection.id
  await w.as('out').call('DELETE', `/api/collections/${gone}`)
  const id = { 'collection of others': w.collection.id, 'deleted collection': gone }[which] ?? newId()
  const own = await bodyOf(w.as('out'), '/api/bootstrap')
  const asked = await bodyOf(w.as('out'), `/api/bootstrap?collection_id=${id}`)
  expect({ ...asked, tickets: 0 }).toEqual({ ...own, tickets: 0 })
  expect(asked.tickets).toHaveLength(1)
})

test('Tickets open the rooms, for the session that asked', async () => {
  const { tickets } = await bodyOf(w.as('rae'), inside())
  const claims = tickets.map(({ ticket }: { ticket: string }) => decodeJwt(ticket))
  expect(claims).toEqual([
    expect.objectContaining({ sub: w.as('rae').id, confirmed: true }),
    expect.objectContaining({ sub: w.as('rae').id, role: 'read' }),
  ])
  for (const { url, ticket } of tickets) {
    const socket = await open(`${url}?ticket=${ticket}`)
    await socket.until('hello', ({ length }) => length === 1)
    socket.leave()
  }
})

test('Until the address is confirmed there are no invitations, and no ticket for the own room', async () => {
  const { collection, as } = await world()
  const { body } = await as('ada').get(`/api/bootstrap?collection_id=${collection.id}`)
  expect(body.session.user.emailVerified).toBe(false)
  expect(body).not.toHaveProperty('invitedCollections')
  expect(body.tickets.map(({ room }: { room: string }) => room)).toEqual([`collection:${collection.id}`])
})

test('Who is not signed in learns only that', async () => {
  const { status, body } = await w.anonymous.get(inside())
  expect([status, body]).toEqual([200, { success: true, session: { user: null, expiresAt: null } }])
})

test('A session that was ended elsewhere gets nothing, and its cookie is taken back', async () => {
  const { sql, as } = await world()
  const who = as('ada')
  await sql`delete from sessions where user_id = ${who.id}`
  const { status, body, headers } = await who.get('/api/bootstrap')
  expect([status, body]).toEqual([200, { success: true, session: { user: null, expiresAt: null } }])
  expect(headers.getSetCookie().join()).toMatch(/Max-Age=0/i)
})

test.for<[string, string]>([
  ['collection_id=kyoto', 'collection_id'],
  ['content=maybe', 'content'],
  ['more=1', 'more'],
])('?%s is refused', async ([query, field]) => {
  const { status, body } = await w.as('ada').get(`/api/bootstrap?${query}`)
  expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
})
