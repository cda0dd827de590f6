import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Failure } from '../../contract/errors.ts'
import { newId } from '../../contract/ids.ts'
import { LinkFilters } from '../../contract/links.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { Client } from '../../dev/http-client.ts'
import { app } from '../../worker/app.ts'
import { unconfirmed } from '../support/accounts.ts'
import { begin, declared, FILM, jpegLike, sendParts, upload, video } from '../support/files.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { PASSWORD, register, type World, world } from '../support/world.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/\{[^}]+\}|:\w+/g, '{}')}`

test('The worker has exactly the calls of the contract', () => {
  const routes = new Set(app.routes.filter(({ method, path }) => method !== 'ALL' && /^\/(api|_image)\//.test(path)).map(nameOf))
  expect([...routes].toSorted()).toEqual(ENDPOINTS.map(nameOf).toSorted())
})

type Call = (w: World, collection: string) => ReturnType<Client['get']>
/** Makes an item of ada in the collection. */
type Make = (w: World, collection: string) => Promise<string>

/** The answer to making a group of two new assets, and its path. */
async function grouped(w: World, id: string) {
  const assetIds = [await assetRow(w, 'ada', [id]), await assetRow(w, 'ada', [id])]
  const answer = await w.as('ada').post(`/api/collections/${id}/groups`, { assetIds, cover: assetIds[0] })
  return { answer, path: `/api/collections/${id}/groups/${answer.body.group?.id}` }
}

/** The answer to somebody who asks to join by a link, and the id of their request. */
async function asked(w: World, id: string) {
  const eve = await register('eve')
  const { url, id: link } = await makeLink(w.as('ada'), id, { join: true })
  await eve.post(`/api/links/${secretOf(url)}/enter`, {})
  const answer = await eve.post(`/api/collections/${id}/join-requests`, { link })
  return { answer, request: answer.body.request?.id }
}

/** A photo of a guest, which waits for an answer. */
async function contributed(w: World, id: string): Promise<string> {
  return (await upload(await guestOf(w.as('ada'), id, { allows: 'add' }), jpegLike())).id
}

/** The answer to beginning a playable film, and its path. */
async function begunFilm(w: World) {
  const { id } = await upload(w.as('ada'), video(), { type: 'video/mp4' })
  const path = `/api/asset/${id}/renditions/film`
  return { answer: await w.as('ada').post(path, { type: 'video/mp4', size: FILM.bytes.length, checksum: FILM.checksum }), path }
}

const HEART = encodeURIComponent('❤️')

/** A comment that mentions somebody, with a reaction. */
async function comment(w: World, id: string, path?: string): Promise<string> {
  const on = path ?? `/api/post/${await post(w, id)}`
  const said = { collection_id: id, text: 'Hi @P', mentions: [await person(w, id)] }
  const { body } = await w.as('ada').post(`${on}/comments`, said)
  await w.as('ada').put(`/api/comments/${body.comment.id}/reactions/${HEART}`)
  return body.comment.id
}

/** Calls about what is said about an item. */
function answerExamples(kind: 'post' | 'asset', make: Make): Record<string, Call> {
  const said = async (w: World, id: string) => {
    const path = `/api/${kind}/${await make(w, id)}`
    await comment(w, id, path)
    return path
  }
  const reaction = async (w: World, id: string) => `${await said(w, id)}/reactions/${HEART}?collection_id=${id}`
  return {
    [`GET /api/${kind}/{}/comments`]: async (w, id) => w.as('ada').get(`${await said(w, id)}/comments?collection_id=${id}&since=1`),
    [`POST /api/${kind}/{}/comments`]: async (w, id) =>
      w.as('ada').post(`${await said(w, id)}/comments`, { collection_id: id, text: 'Hi' }),
    [`PUT /api/${kind}/{}/reactions/{}`]: async (w, id) => w.as('ada').put(await reaction(w, id)),
    [`DELETE /api/${kind}/{}/reactions/{}`]: async (w, id) => w.as('ada').delete(await reaction(w, id)),
    [`POST /api/${kind}/{}/imported-answers`]: async (w, id) =>
      w.as('ada').post(`/api/${kind}/${await make(w, id)}/imported-answers`, {
        collection_id: id,
        comments: [{ id: newId(), originalAuthor: 'Oma', text: 'Lovely', createdAt: '2019-05-01T10:00:00Z' }],
        reactions: [{ originalAuthor: 'Opa', emoji: '❤️' }],
      }),
  }
}

/** One valid call of each endpoint, by ada, in a collection of her own with the reader bob. */
const EXAMPLES: Record<string, Call> = {
  'GET /api/health': (w) => w.anonymous.get('/api/health'),
  'GET /api/openapi.json': (w) => w.anonymous.get('/api/openapi.json'),
  'GET /api/auth/config': (w) => w.anonymous.get('/api/auth/config'),
  'POST /api/auth/sign-up': (w) =>
    new Client(w.origin).post('/api/auth/sign-up', { email: `c-${newId()}@example.org`, password: PASSWORD, firstName: 'C' }),
  'POST /api/auth/sign-in': (w) => new Client(w.origin).post('/api/auth/sign-in', { email: w.as('ada').email, password: PASSWORD }),
  'POST /api/auth/sign-out': async () => (await register('out')).post('/api/auth/sign-out'),
  'GET /api/auth/session': (w) => w.as('ada').get('/api/auth/session'),
  'GET /api/bootstrap': (w) => w.as('ada').get('/api/bootstrap'),
  'POST /api/auth/refresh': (w) => w.as('ada').post('/api/auth/refresh'),
  'POST /api/auth/forgot-password': (w) => w.anonymous.post('/api/auth/forgot-password', { email: w.as('ada').email }),
  'POST /api/auth/send-verification': (w) => w.as('ada').post('/api/auth/send-verification'),
  'GET /api/auth/verify-email': async () => {
    const { client, token } = await unconfirmed()
    return client.get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
  },
  'POST /api/auth/verify-email': async () => {
    const { client, token } = await unconfirmed()
    return client.post('/api/auth/verify-email', { token })
  },
  'POST /api/auth/confirm': (w) => w.as('ada').post('/api/auth/confirm', { password: PASSWORD }),
  'POST /api/auth/change-password': async () =>
    (await register('changer')).post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }),
  'POST /api/auth/change-email': async () =>
    (await register('mover')).post('/api/auth/change-email', { email: `moved-${newId()}@example.org` }),
  'GET /api/access': (w) => w.as('ada').get('/api/access'),
  'DELETE /api/access': async () => (await register('leaver')).delete('/api/access'),
  'DELETE /api/access/{}/{}': async (w) => {
    const phone = await register('phone')
    await new Client(w.origin).post('/api/auth/sign-in', { email: phone.email, password: PASSWORD })
    const { sessions } = (await phone.get('/api/access')).body
    return phone.delete(`/api/access/session/${sessions.find(({ current }: { current: boolean }) => !current).id}`)
  },
  'DELETE /api/users/profile': async () => {
    const goer = await register('goer')
    return goer.delete('/api/users/profile', { email: goer.email, items: 'leave', deleteCollections: [] })
  },
  'GET /api/analytics/config': (w) => w.anonymous.get('/api/analytics/config'),
  'GET /api/map/config': (w) => w.as('ada').get('/api/map/config'),
  'POST /api/live/ticket': (w, id) => w.as('ada').post('/api/live/ticket', { room: `collection:${id}` }),

  'GET /api/users/profile': (w) => w.as('ada').get('/api/users/profile'),
  'PUT /api/users/profile': (w) => w.as('ada').put('/api/users/profile', { firstName: 'Ada' }),
  'PUT /api/users/avatar': (w) => w.as('ada').put('/api/users/avatar', WEBP, { type: 'image/webp' }),
  'DELETE /api/users/avatar': (w) => w.as('ada').delete('/api/users/avatar'),
  'GET /api/users/zones': (w) => w.as('ada').get('/api/users/zones'),
  'PUT /api/users/zones': (w) => w.as('ada').put('/api/users/zones', { zones: [{ name: 'Home', lat: 1, lon: 2, radius: 500 }] }),
  'GET /api/users/theme': (w) => w.as('ada').get('/api/users/theme'),
  'PUT /api/users/theme': (w) => w.as('ada').put('/api/users/theme', THEME),

  'GET /api/users/tokens': async (w) => {
    await w.as('ada').post('/api/users/tokens', TOKEN)
    return w.as('ada').get('/api/users/tokens')
  },
  'POST /api/users/tokens': (w) => w.as('ada').post('/api/users/tokens', TOKEN),
  'DELETE /api/users/tokens/{}': async (w) =>
    w.as('ada').delete(`/api/users/tokens/${(await w.as('ada').post('/api/users/tokens', TOKEN)).body.token.id}`),

  'GET /api/collections': (w) => w.as('ada').get('/api/collections'),
  'GET /api/collections/invited': async (w) => {
    await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: w.as('eve').email, role: 'read' })
    return w.as('eve').get('/api/collections/invited')
  },
  'POST /api/collections': (w) => w.as('ada').post('/api/collections', { name: 'New' }),
  'GET /api/collections/{}': (w, id) => w.as('ada').get(`/api/collections/${id}`),
  'PUT /api/collections/{}': (w, id) => w.as('ada').put(`/api/collections/${id}`, { name: 'Other' }),
  'DELETE /api/collections/{}': async (w) => w.as('ada').delete(`/api/collections/${await collectionOf(w, 'ada')}`),
  'POST /api/collections/{}/transfer': async (w) =>
    w.as('ada').post(`/api/collections/${await collectionOf(w, 'ada', { bob: 'read' })}/transfer`, { userId: w.as('bob').id }),
  'GET /api/collections/{}/timeline': async (w, id) => {
    await post(w, id)
    return w.as('ada').get(`/api/collections/${id}/timeline`)
  },
  'POST /api/collections/{}/groups': async (w, id) => (await grouped(w, id)).answer,
  'GET /api/collections/{}/groups/{}': async (w, id) => w.as('ada').get((await grouped(w, id)).path),
  'DELETE /api/collections/{}/groups/{}': async (w, id) => w.as('ada').delete((await grouped(w, id)).path),
  'GET /api/collections/{}/links': async (w, id) => {
    await makeLink(w.as('ada'), id, { kind: 'filter', filters: LinkFilters.parse({ contentTypes: ['photo'] }) })
    return w.as('ada').get(`/api/collections/${id}/links`)
  },
  'POST /api/collections/{}/links': (w, id) => w.as('ada').post(`/api/collections/${id}/links`, { kind: 'collection', name: 'L' }),
  'PATCH /api/collections/{}/links/{}': async (w, id) =>
    w.as('ada').patch(`/api/collections/${id}/links/${(await makeLink(w.as('ada'), id)).id}`, { download: true }),
  'DELETE /api/collections/{}/links/{}': async (w, id) =>
    w.as('ada').delete(`/api/collections/${id}/links/${(await makeLink(w.as('ada'), id)).id}`),
  'GET /api/collections/{}/join-requests': async (w, id) => {
    await asked(w, id)
    return w.as('ada').get(`/api/collections/${id}/join-requests`)
  },
  'POST /api/collections/{}/join-requests': async (w, id) => (await asked(w, id)).answer,
  'DELETE /api/collections/{}/join-requests': (w, id) => w.as('ada').delete(`/api/collections/${id}/join-requests`),
  'POST /api/collections/{}/join-requests/{}/accept': async (w, id) => {
    const { request } = await asked(w, id)
    return w.as('ada').post(`/api/collections/${id}/join-requests/${request}/accept`, {})
  },
  'POST /api/collections/{}/join-requests/{}/decline': async (w, id) => {
    const { request } = await asked(w, id)
    return w.as('ada').post(`/api/collections/${id}/join-requests/${request}/decline`)
  },
  'GET /api/collections/{}/contributions': async (w, id) => {
    await contributed(w, id)
    return w.as('ada').get(`/api/collections/${id}/contributions`)
  },
  'POST /api/collections/{}/contributions/accept': async (w, id) =>
    w.as('ada').post(`/api/collections/${id}/contributions/accept`, { ids: [await contributed(w, id)] }),
  'POST /api/collections/{}/contributions/decline': async (w, id) =>
    w.as('ada').post(`/api/collections/${id}/contributions/decline`, { ids: [await contributed(w, id)] }),
  'GET /api/guest': async (w, id) => (await guestOf(w.as('ada'), id)).get('/api/guest'),
  'PUT /api/guest': async (w, id) => (await guestOf(w.as('ada'), id)).put('/api/guest', { name: 'Oma' }),
  'POST /api/links/claim': (w) => w.as('ada').post('/api/links/claim'),
  'POST /api/links/{}/enter': async (w, id) => new GuestClient(w.origin).enter((await makeLink(w.as('ada'), id)).url, { name: 'Oma' }),
  'GET /api/collections/{}/calendar-link': async (w, id) => {
    await w.as('ada').put(`/api/collections/${id}/calendar-link`, {})
    return w.as('ada').get(`/api/collections/${id}/calendar-link`)
  },
  'PUT /api/collections/{}/calendar-link': (w, id) => w.as('ada').put(`/api/collections/${id}/calendar-link`, { notes: true }),
  'DELETE /api/collections/{}/calendar-link': (w, id) => w.as('ada').delete(`/api/collections/${id}/calendar-link`),
  'GET /api/collections/{}/mail': (w, id) => w.as('ada').get(`/api/collections/${id}/mail`),
  'PUT /api/collections/{}/mail': (w, id) => w.as('ada').put(`/api/collections/${id}/mail`),
  'DELETE /api/collections/{}/mail': (w, id) => w.as('ada').delete(`/api/collections/${id}/mail`),
  'GET /api/feed': async (w, id) => {
    await post(w, id)
    return w.as('ada').get('/api/feed')
  },
  'GET /api/push': (w) => w.as('ada').get('/api/push'),
  'POST /api/push/subscriptions': (w) => w.as('ada').post('/api/push/subscriptions', SUBSCRIPTION),
  'DELETE /api/push/subscriptions': (w) => w.as('ada').delete('/api/push/subscriptions', { endpoint: SUBSCRIPTION.endpoint }),
  'GET /api/collections/{}/notices': (w, id) => w.as('ada').get(`/api/collections/${id}/notices`),
  'PUT /api/collections/{}/notices': (w, id) => w.as('ada').put(`/api/collections/${id}/notices`, { muted: true }),
  'PUT /api/feed/visit': (w) => w.as('ada').put('/api/feed/visit', { seenAt: '2026-05-01T08:00:00Z' }),
  'GET /api/collections/{}/theme': (w, id) => w.as('ada').get(`/api/collections/${id}/theme`),
  'PUT /api/collections/{}/theme': (w, id) => w.as('ada').put(`/api/collections/${id}/theme`, THEME),

  'GET /api/collections/{}/invites': async (w, id) => {
    await invited(w, id)
    return w.as('ada').get(`/api/collections/${id}/invites`)
  },
  'POST /api/collections/{}/invites/invite': (w, id) =>
    w.as('ada').post(`/api/collections/${id}/invites/invite`, { email: 'x@example.org', role: 'read' }),
  'POST /api/collections/{}/invites/people': async (w, id) =>
    w.as('ada').post(`/api/collections/${id}/invites/people`, {
      invites: [
        { personId: await person(w, id), email: 'y@example.org' },
        { personId: newId(), email: 'nobody' },
      ],
    }),
  'POST /api/collections/{}/invites/accept': async (w, id) => (await invited(w, id)).post(`/api/collections/${id}/invites/accept`),
  'DELETE /api/collections/{}/invites/decline': async (w, id) => (await invited(w, id)).delete(`/api/collections/${id}/invites/decline`),
  'DELETE /api/collections/{}/invites/leave': async (w) =>
    w.as('bob').delete(`/api/collections/${await collectionOf(w, 'ada', { bob: 'read' })}/invites/leave`),
  'DELETE /api/collections/{}/invites/{}': async (w, id) => {
    const { invite } = (await w.as('ada').post(`/api/collections/${id}/invites/invite`, { email: 'y@example.org', role: 'read' })).body
    return w.as('ada').delete(`/api/collections/${id}/invites/${invite.id}`)
  },
  'GET /api/collections/{}/members': (w, id) => w.as('ada').get(`/api/collections/${id}/members`),
  'PUT /api/collections/{}/members/{}': async (w) =>
    w.as('ada').put(`/api/collections/${await collectionOf(w, 'ada', { bob: 'read' })}/members/${w.as('bob').id}`, { role: 'write' }),
  'DELETE /api/collections/{}/members/{}': async (w) =>
    w.as('ada').delete(`/api/collections/${await collectionOf(w, 'ada', { bob: 'read' })}/members/${w.as('bob').id}`),

  'GET /api/collections/{}/people': async (w, id) => {
    await person(w, id)
    return w.as('ada').get(`/api/collections/${id}/people`)
  },
  'GET /api/collections/{}/people/unlinked': async (w, id) => {
    await person(w, id)
    return w.as('ada').get(`/api/collections/${id}/people/unlinked`)
  },
  'POST /api/collections/{}/people': (w, id) => w.as('ada').post(`/api/collections/${id}/people`, { name: 'P' }),
  'PUT /api/collections/{}/people/{}': async (w, id) =>
    w.as('ada').put(`/api/collections/${id}/people/${await person(w, id)}`, { name: 'Q' }),
  'POST /api/collections/{}/people/{}/merge': async (w, id) =>
    w.as('ada').post(`/api/collections/${id}/people/${await person(w, id)}/merge`, { intoId: await person(w, id) }),
  'DELETE /api/collections/{}/people/{}': async (w, id) => w.as('ada').delete(`/api/collections/${id}/people/${await person(w, id)}`),

  'GET /api/post': async (w, id) => {
    await post(w, id)
    return w.as('ada').get(`/api/post?collection_id=${id}&since=0`)
  },
  'POST /api/post': async (w, id) => w.as('ada').post('/api/post', await fullPost(w, id)),
  'GET /api/post/{}': async (w, id) => w.as('ada').get(`/api/post/${await post(w, id)}?collection_id=${id}`),
  'PATCH /api/post/{}': async (w, id) => w.as('ada').patch(`/api/post/${await post(w, id)}`, { title: 'New' }),
  'PUT /api/post/{}': async (w, id) => w.as('ada').put(`/api/post/${await post(w, id)}`, { type: 'note', title: 'New' }),
  'DELETE /api/post/{}': async (w, id) => w.as('ada').delete(`/api/post/${await post(w, id)}`),
  'POST /api/post/{}/copy': async (w, id) => w.as('ada').post(`/api/post/${await post(w, id)}/copy`, { collectionIds: [id] }),
  'POST /api/post/{}/collections': async (w, id) =>
    w.as('ada').post(`/api/post/${await post(w, id)}/collections`, { collectionIds: [await collectionOf(w, 'ada')] }),

  'PUT /api/post/bulk.collections.add': async (w, id) =>
    w.as('ada').put('/api/post/bulk.collections.add', { ids: [await post(w, id)], collectionIds: [await collectionOf(w, 'ada')] }),
  'PUT /api/post/bulk.collections.remove': async (w, id) =>
    w.as('ada').put('/api/post/bulk.collections.remove', { ids: [await post(w, id)], collectionId: id }),
  'POST /api/post/bulk.date': async (w, id) => w.as('ada').post('/api/post/bulk.date', { ids: [await post(w, id)], shift: { days: 1 } }),
  'POST /api/post/bulk.location': async (w, id) =>
    w.as('ada').post('/api/post/bulk.location', { ids: [await post(w, id)], location: null }),
  'POST /api/post/bulk.people': async (w, id) =>
    w.as('ada').post('/api/post/bulk.people', { ids: [await post(w, id)], add: [await person(w, id)] }),
  'DELETE /api/post/bulk': async (w, id) => w.as('ada').delete('/api/post/bulk', { ids: [await post(w, id)] }),
  'DELETE /api/post/{}/collections/{}': async (w, id) => w.as('ada').delete(`/api/post/${await post(w, id)}/collections/${id}`),

  'PUT /api/asset/bulk.collections.add': async (w, id) =>
    w.as('ada').put('/api/asset/bulk.collections.add', { ids: [await pictured(w, id)], collectionIds: [await collectionOf(w, 'ada')] }),
  'PUT /api/asset/bulk.collections.remove': async (w, id) =>
    w.as('ada').put('/api/asset/bulk.collections.remove', { ids: [await pictured(w, id)], collectionId: id }),
  'POST /api/asset/bulk.date': async (w, id) =>
    w.as('ada').post('/api/asset/bulk.date', { ids: [await pictured(w, id)], shift: { days: 1 } }),
  'POST /api/asset/bulk.location': async (w, id) =>
    w.as('ada').post('/api/asset/bulk.location', { ids: [await pictured(w, id)], location: null }),
  'POST /api/asset/bulk.people': async (w, id) =>
    w.as('ada').post('/api/asset/bulk.people', { ids: [await pictured(w, id)], add: [await person(w, id)] }),
  'DELETE /api/asset/bulk': async (w, id) => w.as('ada').delete('/api/asset/bulk', { ids: [await pictured(w, id)] }),
  'DELETE /api/asset/{}/collections/{}': async (w, id) => w.as('ada').delete(`/api/asset/${await pictured(w, id)}/collections/${id}`),

  'POST /api/undo/{}': async (w, id) => {
    const { changeId } = (await w.as('ada').patch(`/api/post/${await post(w, id)}`, { title: 'New' })).body
    return w.as('ada').post(`/api/undo/${changeId}`)
  },
  'GET /api/trash': async (w, id) => {
    await w.as('ada').delete(`/api/post/${await post(w, id)}`)
    await w.as('ada').delete(`/api/asset/${await pictured(w, id)}`)
    return w.as('ada').get('/api/trash')
  },
  'POST /api/trash/restore': async (w, id) => {
    const postId = await post(w, id)
    await w.as('ada').delete(`/api/post/${postId}`)
    return w.as('ada').post('/api/trash/restore', { postIds: [postId] })
  },

  'DELETE /api/trash': async (w, id) => {
    const postId = await post(w, id)
    await w.as('ada').delete(`/api/post/${postId}`)
    return w.as('ada').delete('/api/trash', { postIds: [postId] })
  },
  ...answerExamples('post', post),
  ...answerExamples('asset', (w, id) => assetRow(w, 'ada', [id])),
  'PATCH /api/comments/{}': async (w, id) => w.as('ada').patch(`/api/comments/${await comment(w, id)}`, { text: 'Other', hidden: true }),
  'DELETE /api/comments/{}': async (w, id) => w.as('ada').delete(`/api/comments/${await comment(w, id)}`),
  'PUT /api/comments/{}/reactions/{}': async (w, id) => w.as('ada').put(`/api/comments/${await comment(w, id)}/reactions/${HEART}`),
  'DELETE /api/comments/{}/reactions/{}': async (w, id) => w.as('ada').delete(`/api/comments/${await comment(w, id)}/reactions/${HEART}`),

  'GET /api/usage': (w) => w.as('ada').get('/api/usage'),
  'GET /api/usage/unattached': async (w) => {
    await post(w, await collectionOf(w, 'ada'))
    await w.as('ada').post('/api/post', { type: 'note', title: 'Unattached' })
    await upload(w.as('ada'), jpegLike())
    return w.as('ada').get('/api/usage/unattached')
  },
  'GET /api/collections/{}/usage': (w, id) => w.as('ada').get(`/api/collections/${id}/usage`),

  'GET /api/asset': async (w, id) => {
    await upload(w.as('ada'), jpegLike(), { collectionIds: [id] })
    return w.as('ada').get(`/api/asset?collection_id=${id}`)
  },
  'POST /api/asset': (w, id) => w.as('ada').post('/api/asset', declared(jpegLike(), { collectionIds: [id], location: { lat: 1, lon: 2 } })),
  'POST /api/asset/batch': (w, id) =>
    w.as('ada').post('/api/asset/batch', {
      assets: [declared(jpegLike(), { collectionIds: [id] }), declared(jpegLike(), { collectionIds: [newId()] })],
    }),
  'GET /api/asset/unread': async (w) => {
    await w.sql`update assets set type = 'video/mp4' where id = ${await assetRow(w, 'ada')}`
    return w.as('ada').get('/api/asset/unread')
  },
  'POST /api/asset/{}/metadata': async (w) =>
    w.as('ada').post(`/api/asset/${await assetRow(w, 'ada')}/metadata`, { date: '2026-05-01T10:00:00Z' }),
  'GET /api/asset/{}': async (w) => w.as('ada').get(`/api/asset/${(await upload(w.as('ada'), jpegLike())).id}`),
  'PUT /api/asset/{}': async (w) => w.as('ada').put(`/api/asset/${(await upload(w.as('ada'), jpegLike())).id}`, { alt: 'A lake' }),
  'DELETE /api/asset/{}': async (w) => w.as('ada').delete(`/api/asset/${(await upload(w.as('ada'), jpegLike())).id}`),
  'POST /api/asset/{}/copy': async (w, id) => {
    // Only what is frozen for its author is copied; anything else is linked.
    const left = await collectionOf(w, 'ada')
    const frozen = await upload(w.as('ada'), jpegLike(), { collectionIds: [left] })
    await w.sql`delete from members where collection_id = ${left}`
    return w.as('ada').post(`/api/asset/${frozen.id}/copy`, { collectionIds: [id] })
  },
  'POST /api/asset/{}/collections': async (w, id) =>
    w.as('ada').post(`/api/asset/${(await upload(w.as('ada'), jpegLike())).id}/collections`, { collectionIds: [id] }),
  'GET /api/asset/{}/upload': async (w) => w.as('ada').get(`/api/asset/${(await begin(w.as('ada'), jpegLike())).id}/upload`),
  'PUT /api/asset/{}/parts/{}': async (w) => {
    const bytes = jpegLike()
    return w.as('ada').put(`/api/asset/${(await begin(w.as('ada'), bytes)).id}/parts/1`, bytes)
  },
  'PUT /api/asset/{}/renditions/{}': async (w) => {
    const { id } = await begin(w.as('ada'), jpegLike())
    return w.as('ada').put(`/api/asset/${id}/renditions/thumb`, WEBP, { type: 'image/webp' })
  },
  'POST /api/asset/{}/renditions/film': async (w) => (await begunFilm(w)).answer,
  'PUT /api/asset/{}/renditions/film/parts/{}': async (w) => w.as('ada').put(`${(await begunFilm(w)).path}/parts/1`, FILM.bytes),
  'GET /api/asset/{}/renditions/film/upload': async (w) => w.as('ada').get(`${(await begunFilm(w)).path}/upload`),
  'POST /api/asset/{}/renditions/film/complete': async (w) => {
    const { path } = await begunFilm(w)
    await w.as('ada').put(`${path}/parts/1`, FILM.bytes)
    return w.as('ada').post(`${path}/complete`)
  },
  'DELETE /api/asset/{}/renditions/film/upload': async (w) => w.as('ada').delete(`${(await begunFilm(w)).path}/upload`),
  'DELETE /api/asset/{}/renditions/film': async (w) => w.as('ada').delete((await begunFilm(w)).path),
  'POST /api/asset/{}/complete': async (w) => {
    const bytes = jpegLike()
    const { id } = await begin(w.as('ada'), bytes)
    await sendParts(w.as('ada'), id, bytes)
    return w.as('ada').post(`/api/asset/${id}/complete`)
  },
}

/** Tested where the mail with the token is read. */
const ELSEWHERE = ['POST /api/auth/reset-password']
/** Answers with bytes or redirects have no schema to check. */
const inJson = ENDPOINTS.filter((endpoint) => !endpoint.responseType && !ELSEWHERE.includes(nameOf(endpoint)))

const SUBSCRIPTION = {
  endpoint: 'https://push.example.org/send/1',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}
const TOKEN = { name: 'T', scope: 'read', expiresAt: '2999-01-01T00:00:00Z' }
const THEME = { primary: 'teal', neutral: 'tea', radius: 0.25, blackAsPrimary: false }
/** One pixel. */
const WEBP = new Uint8Array(Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'))

async function invited(w: World, id: string) {
  const guest = await register('guest')
  await w.as('ada').post(`/api/collections/${id}/invites/invite`, { email: guest.email, role: 'write' })
  return guest
}
async function person(w: World, id: string): Promise<string> {
  return (await w.as('ada').post(`/api/collections/${id}/people`, { name: 'P' })).body.person.id
}
async function fullPost(w: World, id: string) {
  const photo = await upload(w.as('ada'), jpegLike(), { collectionIds: [id], alt: 'A lake' })
  return {
    type: 'event',
    kind: 'trip',
    title: 'T',
    date: '2026-05-01T10:00:00Z',
    location: { lat: 1, lon: 2 },
    collectionIds: [id],
    peopleIds: [await person(w, id)],
    existingAssetIds: [photo.id],
  }
}
async function pictured(w: World, id: string): Promise<string> {
  return (await upload(w.as('ada'), jpegLike(), { collectionIds: [id] })).id
}
async function post(w: World, id: string): Promise<string> {
  return (await w.as('ada').post('/api/post', await fullPost(w, id))).body.post.id
}

/** No shared cache may keep an answer, and the browser's own must ask again. The OpenAPI document is the same for everybody. */
function expectPrivate(headers: Headers): void {
  const cache = headers.get('cache-control')
  if (cache !== 'public, max-age=300') expect(cache).toMatch(/^(private, )?no-(store|cache)$/)
}

describe('an answer has exactly the fields of its schema', () => {
  const setting = world({ bob: 'read', eve: null })
  test.each(inJson.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s answers with exactly the fields of its schema',
    async (name, endpoint: Endpoint) => {
      const w = await setting
      const call = EXAMPLES[name]
      if (!call) throw new Error('There is no example for this call')
      const { status, body, headers } = await call(w, await collectionOf(w, 'ada', { bob: 'read' }))
      expectPrivate(headers)
      expect(status, JSON.stringify(body)).toBe(endpoint.creates ? 201 : 200)
      expect(endpoint.response.parse(body)).toEqual(body)
    },
  )

  test.each(ENDPOINTS.filter((endpoint) => !endpoint.public).map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s without a session answers with exactly the fields of its schema',
    async (_name, { method, path }) => {
      const w = await setting
      const answer = await w.anonymous.call(
        method,
        path.replace(/\{\w+\}/g, newId()),
        method === 'GET' || method === 'DELETE' ? undefined : {},
      )
      expect(answer.status).toBe(401)
      expectPrivate(answer.headers)
      expect(Failure.parse(answer.body)).toEqual(answer.body)
    },
  )
})

test('Every refusal has the same shape', async () => {
  const w = await world({ bob: 'read' })
  const bob = w.as('bob')
  const answers = await Promise.all([
    bob.get('/api/nothing/here'),
    bob.get(`/api/post/${newId()}`),
    bob.post('/api/post', { type: 'note', title: 'x', collectionIds: [w.collection.id] }),
    bob.post('/api/post', '{', { type: 'application/json' }),
    bob.post('/api/post', 'title=x', { type: 'text/plain' }),
    bob.post('/api/post', '{"__proto__":{"role":"owner"}}', { type: 'application/json' }),
    bob.post('/api/post', '['.repeat(100_000), { type: 'application/json' }),
    bob.post('/api/post', new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]), { type: 'application/json' }),
    bob.post('/api/post', JSON.stringify({ title: 'x'.repeat(2 ** 20) }), { type: 'application/json' }),
    bob.post('/api/post', { constructor: 1 }),
    bob.post('/api/collections', { name: 'A' }, { headers: { origin: 'https://evil.example' } }),
    bob.get('/api/post?limit=0'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 400, 415, 400, 400, 400, 413, 400, 403, 400])
  for (const { body } of answers) expect(Failure.safeParse(body).success).toBe(true)
})
