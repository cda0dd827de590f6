import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import type { Answer } from '../../dev/http-client.ts'
import { declared, jpegLike } from '../support/files.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { register, type World, world } from '../support/world.ts'

/** The data for the calls of one line: a new collection of ada with bob, who writes, and an item of ada in it. */
interface Scene {
  id: string
  path: string
  post: string
  asset: string
  /** Another collection of ada. */
  other: string
}
type Call = (w: World, scene: Scene) => Promise<Answer>
type Line = [call: string, fields: string[], go: Call]

const THEME = { primary: 'teal', neutral: 'tea', radius: 0.25, blackAsPrimary: false }
const NOTE = { type: 'note', title: 'Hi' }
const DATE = '2026-05-01T10:00:00+02:00'
const PLACE = { lat: 35.01, lon: 135.77, name: 'Kyoto' }

/** A pending invitation from ada to a new user. */
async function guestOf(w: World, { path }: Scene) {
  const guest = await register('guest')
  const { body } = await w.as('ada').post(`${path}/invites/invite`, { email: guest.email, role: 'read' })
  return { guest, invite: body.invite.id as string }
}

/** The calls that posts and assets share. */
function itemLines(kind: 'post' | 'asset'): Line[] {
  const ids = (scene: Scene) => [scene[kind]]
  const one = (scene: Scene) => `/api/${kind}/${scene[kind]}`
  return [
    [`GET /api/${kind}`, [`${kind}s`], (w) => w.as('ada').get(`/api/${kind}`)],
    [`GET /api/${kind}`, [`${kind}s`, 'revision'], (w, { id }) => w.as('ada').get(`/api/${kind}?collection_id=${id}`)],
    [`GET /api/${kind}/{id}`, [kind], (w, scene) => w.as('ada').get(one(scene))],
    [`DELETE /api/${kind}/{id}`, [], (w, scene) => w.as('ada').delete(one(scene))],
    [
      `POST /api/${kind}/{id}/collections`,
      [kind],
      (w, scene) => w.as('ada').post(`${one(scene)}/collections`, { collectionIds: [scene.other] }),
    ],
    [
      `PUT /api/${kind}/bulk.collections.add`,
      [],
      (w, scene) => w.as('ada').put(`/api/${kind}/bulk.collections.add`, { ids: ids(scene), collectionIds: [scene.other] }),
    ],
    [
      `PUT /api/${kind}/bulk.collections.remove`,
      [],
      (w, scene) => w.as('ada').put(`/api/${kind}/bulk.collections.remove`, { ids: ids(scene), collectionId: scene.id }),
    ],
    [`POST /api/${kind}/bulk.date`, [], (w, scene) => w.as('ada').post(`/api/${kind}/bulk.date`, { ids: ids(scene), date: DATE })],
    [
      `POST /api/${kind}/bulk.location`,
      [],
      (w, scene) => w.as('ada').post(`/api/${kind}/bulk.location`, { ids: ids(scene), location: PLACE }),
    ],
    [`DELETE /api/${kind}/bulk`, [], (w, scene) => w.as('ada').delete(`/api/${kind}/bulk`, { ids: ids(scene) })],
  ]
}

/** Each call, the fields of the answer that it names, and the call with the payload that it names. */
const CALLS: Line[] = [
  ['GET /api/users/profile', ['email', 'firstName', 'lastName'], (w) => w.as('ada').get('/api/users/profile')],
  ['PUT /api/users/profile', ['profile'], (w) => w.as('ada').put('/api/users/profile', { firstName: 'Ada', lastName: 'Lovelace' })],
  ['GET /api/users/theme', ['theme'], (w) => w.as('ada').get('/api/users/theme')],
  ['PUT /api/users/theme', [], (w) => w.as('ada').put('/api/users/theme', THEME)],
  ['GET /api/collections/{id}/theme', ['theme'], (w, { path }) => w.as('ada').get(`${path}/theme`)],
  ['PUT /api/collections/{id}/theme', [], (w, { path }) => w.as('ada').put(`${path}/theme`, THEME)],

  ['GET /api/collections', ['collections'], (w) => w.as('ada').get('/api/collections')],
  ['POST /api/collections', ['collection'], (w) => w.as('ada').post('/api/collections', { name: 'Nara', icon: 'default', theme: THEME })],
  ['PUT /api/collections/{id}', ['collection'], (w, { path }) => w.as('ada').put(path, { name: 'Nara' })],
  ['DELETE /api/collections/{id}', [], (w, { path }) => w.as('ada').delete(path)],
  [
    'GET /api/collections/invited',
    ['invitedCollections'],
    async (w, scene) => (await guestOf(w, scene)).guest.get('/api/collections/invited'),
  ],

  [
    'GET /api/collections/{id}/invites',
    ['invites'],
    async (w, scene) => {
      await guestOf(w, scene)
      return w.as('ada').get(`${scene.path}/invites`)
    },
  ],
  [
    'POST /api/collections/{id}/invites/invite',
    ['invite'],
    (w, { path }) => w.as('ada').post(`${path}/invites/invite`, { email: `${newId()}@example.org`, role: 'read' }),
  ],
  [
    'POST /api/collections/{id}/invites/accept',
    ['member'],
    async (w, scene) => (await guestOf(w, scene)).guest.post(`${scene.path}/invites/accept`),
  ],
  [
    'DELETE /api/collections/{id}/invites/decline',
    [],
    async (w, scene) => (await guestOf(w, scene)).guest.delete(`${scene.path}/invites/decline`),
  ],
  ['DELETE /api/collections/{id}/invites/leave', [], (w, { path }) => w.as('bob').delete(`${path}/invites/leave`)],
  [
    'DELETE /api/collections/{id}/invites/{inviteId}',
    [],
    async (w, scene) => w.as('ada').delete(`${scene.path}/invites/${(await guestOf(w, scene)).invite}`),
  ],
  ['GET /api/collections/{id}/members', ['members'], (w, { path }) => w.as('ada').get(`${path}/members`)],
  [
    'PUT /api/collections/{id}/members/{userId}',
    [],
    (w, { path }) => w.as('ada').put(`${path}/members/${w.as('bob').id}`, { role: 'read' }),
  ],
  ['DELETE /api/collections/{id}/members/{userId}', [], (w, { path }) => w.as('ada').delete(`${path}/members/${w.as('bob').id}`)],
  ['GET /api/collections/{id}/people/unlinked', ['people'], (w, { path }) => w.as('ada').get(`${path}/people/unlinked`)],

  ...itemLines('post'),
  ['GET /api/post/{id}', ['post'], (w, { id, post }) => w.as('ada').get(`/api/post/${post}?collection_id=${id}`)],
  [
    'POST /api/post',
    ['post'],
    (w, { id, asset }) => w.as('ada').post('/api/post', { ...NOTE, collectionIds: [id], existingAssetIds: [asset] }),
  ],
  ['PATCH /api/post/{id}', ['post'], (w, { post }) => w.as('ada').patch(`/api/post/${post}`, { title: 'New' })],
  ['PUT /api/post/{id}', ['post'], (w, { post }) => w.as('ada').put(`/api/post/${post}`, NOTE)],
  ...itemLines('asset'),
  ['POST /api/asset', ['asset'], (w, { id }) => w.as('ada').post('/api/asset', declared(jpegLike(), { collectionIds: [id] }))],
  ['PUT /api/asset/{id}', ['asset'], (w, { asset }) => w.as('ada').put(`/api/asset/${asset}`, { alt: 'A lake' })],
]

let w: World
beforeAll(async () => {
  w = await world({ bob: 'read' })
})

async function stage(): Promise<Scene> {
  const id = await collectionOf(w, 'ada', { bob: 'write' })
  const { body } = await w.as('ada').post('/api/post', { ...NOTE, collectionIds: [id] })
  return {
    id,
    path: `/api/collections/${id}`,
    post: body.post.id,
    asset: await assetRow(w, 'ada', [id]),
    other: await collectionOf(w, 'ada'),
  }
}

describe('Every call of the API', () => {
  test.each(CALLS)('%s answers with %j as the contract says', async (call, fields, go) => {
    const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === call)
    if (!endpoint) throw new Error('The contract does not have this call')
    const { status, body } = await go(w, await stage())
    expect(status, JSON.stringify(body)).toBe(endpoint.creates ? 201 : 200)
    expect(endpoint.response.parse(body)).toEqual(body)
    // The profile is the only answer without an envelope.
    if (call !== 'GET /api/users/profile') expect(body.success).toBe(true)
    for (const field of fields) expect(body).toHaveProperty(field)
  })
})

test('The profile without a session gets 401 and is not logged as an error', async () => {
  expect((await w.anonymous.get('/api/users/profile')).status).toBe(401)
})
