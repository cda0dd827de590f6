import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ENDPOINTS } from '../../contract/routes.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { jpegLike, sendWhole } from '../support/files.ts'
import { GuestClient, makeLink } from '../support/guests.ts'
import { gather, stage } from '../support/role-scene.ts'
import { endpointOf, endpointsOf, TABLE } from '../support/role-table.ts'
import { world } from '../support/world.ts'

/**
 * Per call: requests to Neon, and the statements in them. Work after the answer counts, such as the mark of published changes. A trip to the
 * database costs more than the work there.
 */
const TRIPS: Record<string, string> = {
  'GET /_image/{modifiers}/{id}': '2 / 4',
  'DELETE /api/access': '2 / 4',
  'GET /api/access': '1 / 2',
  'GET /api/asset': '1 / 2',
  'POST /api/asset': '1 / 6',
  'POST /api/asset/batch': '1 / 6',
  'DELETE /api/asset/bulk': '2 / 6',
  'PUT /api/asset/bulk.collections.add': '2 / 6',
  'PUT /api/asset/bulk.collections.remove': '2 / 6',
  'POST /api/asset/bulk.date': '2 / 6',
  'POST /api/asset/bulk.location': '2 / 6',
  'POST /api/asset/bulk.people': '2 / 6',
  'DELETE /api/asset/{id}': '2 / 7',
  'GET /api/asset/unread': '1 / 2',
  'GET /api/asset/{id}': '1 / 2',
  'PUT /api/asset/{id}': '2 / 7',
  'POST /api/asset/{id}/collections': '3 / 9',
  'DELETE /api/asset/{id}/collections/{collectionId}': '2 / 6',
  'POST /api/asset/{id}/complete': '3 / 8',
  'GET /api/asset/{id}/comments': '1 / 2',
  'POST /api/asset/{id}/comments': '2 / 8',
  'POST /api/asset/{id}/imported-answers': '2 / 7',
  'GET /api/asset/{id}/file': '1 / 2',
  'POST /api/asset/{id}/metadata': '3 / 7',
  'PUT /api/asset/{id}/parts/{part}': '2 / 6',
  'DELETE /api/asset/{id}/reactions/{emoji}': '1 / 6',
  'PUT /api/asset/{id}/reactions/{emoji}': '2 / 8',
  'DELETE /api/asset/{id}/renditions/film': '1 / 6',
  'GET /api/asset/{id}/renditions/film': '1 / 2',
  'POST /api/asset/{id}/renditions/film': '2 / 10',
  'POST /api/asset/{id}/renditions/film/complete': '3 / 11',
  'PUT /api/asset/{id}/renditions/film/parts/{part}': '2 / 6',
  'DELETE /api/asset/{id}/renditions/film/upload': '2 / 7',
  'GET /api/asset/{id}/renditions/film/upload': '1 / 2',
  'GET /api/asset/{id}/renditions/{rendition}': '1 / 2',
  'PUT /api/asset/{id}/renditions/{rendition}': '3 / 7',
  'GET /api/asset/{id}/upload': '1 / 2',
  'POST /api/auth/change-email': '4 / 10',
  'POST /api/auth/confirm': '2 / 6',
  'POST /api/auth/send-verification': '2 / 6',
  'GET /api/auth/session': '1 / 2',
  'POST /api/auth/sign-in': '2 / 4',
  'GET /api/collections': '1 / 2',
  'POST /api/collections': '3 / 8',
  'GET /api/collections/invited': '1 / 2',
  'DELETE /api/collections/{id}': '2 / 6',
  'GET /api/collections/{id}': '1 / 2',
  'PUT /api/collections/{id}': '2 / 6',
  'DELETE /api/collections/{id}/calendar-link': '1 / 3',
  'GET /api/collections/{id}/calendar-link': '1 / 2',
  'PUT /api/collections/{id}/calendar-link': '1 / 3',
  'GET /api/collections/{id}/export': '13 / 26',
  'DELETE /api/collections/{id}/mail': '1 / 3',
  'GET /api/collections/{id}/mail': '1 / 2',
  'PUT /api/collections/{id}/mail': '1 / 3',
  'POST /api/collections/{id}/groups': '3 / 9',
  'DELETE /api/collections/{id}/groups/{groupId}': '2 / 5',
  'GET /api/collections/{id}/groups/{groupId}': '1 / 2',
  'GET /api/collections/{id}/invites': '1 / 2',
  'POST /api/collections/{id}/invites/accept': '2 / 7',
  'DELETE /api/collections/{id}/invites/decline': '2 / 5',
  'POST /api/collections/{id}/invites/invite': '9 / 28',
  'DELETE /api/collections/{id}/invites/leave': '2 / 5',
  'POST /api/collections/{id}/invites/people': '9 / 28',
  'DELETE /api/collections/{id}/invites/{inviteId}': '2 / 5',
  'GET /api/collections/{id}/contributions': '1 / 2',
  'POST /api/collections/{id}/contributions/accept': '2 / 6',
  'POST /api/collections/{id}/contributions/decline': '2 / 6',
  'GET /api/collections/{id}/join-requests': '1 / 2',
  'DELETE /api/collections/{id}/join-requests': '1 / 4',
  'POST /api/collections/{id}/join-requests/{requestId}/accept': '3 / 7',
  'POST /api/collections/{id}/join-requests/{requestId}/decline': '2 / 5',
  'GET /api/collections/{id}/links': '1 / 2',
  'POST /api/collections/{id}/links': '2 / 6',
  'DELETE /api/collections/{id}/links/{linkId}': '2 / 5',
  'PATCH /api/collections/{id}/links/{linkId}': '2 / 7',
  'GET /api/collections/{id}/members': '1 / 2',
  'DELETE /api/collections/{id}/members/{userId}': '2 / 6',
  'PUT /api/collections/{id}/members/{userId}': '2 / 6',
  'GET /api/collections/{id}/notices': '1 / 2',
  'PUT /api/collections/{id}/notices': '1 / 4',
  'GET /api/collections/{id}/people': '1 / 2',
  'POST /api/collections/{id}/people': '2 / 6',
  'GET /api/collections/{id}/people/unlinked': '1 / 2',
  'DELETE /api/collections/{id}/people/{personId}': '2 / 6',
  'PUT /api/collections/{id}/people/{personId}': '2 / 7',
  'POST /api/collections/{id}/people/{personId}/merge': '2 / 10',
  'GET /api/collections/{id}/theme': '1 / 2',
  'PUT /api/collections/{id}/theme': '2 / 6',
  'GET /api/collections/{id}/timeline': '1 / 2',
  'POST /api/collections/{id}/transfer': '2 / 6',
  'GET /api/collections/{id}/usage': '1 / 2',
  'DELETE /api/comments/{id}': '2 / 6',
  'PATCH /api/comments/{id}': '2 / 7',
  'DELETE /api/comments/{id}/reactions/{emoji}': '1 / 6',
  'PUT /api/comments/{id}/reactions/{emoji}': '2 / 8',
  'GET /api/feed': '1 / 2',
  'PUT /api/feed/visit': '1 / 3',
  'POST /api/links/claim': '1 / 6',
  'POST /api/live/ticket': '1 / 3',
  'GET /api/map/config': '0 / 0',
  'GET /api/post': '1 / 2',
  'POST /api/post': '2 / 8',
  'DELETE /api/post/bulk': '2 / 6',
  'PUT /api/post/bulk.collections.add': '2 / 6',
  'PUT /api/post/bulk.collections.remove': '2 / 6',
  'POST /api/post/bulk.date': '2 / 6',
  'POST /api/post/bulk.location': '2 / 6',
  'POST /api/post/bulk.people': '2 / 6',
  'DELETE /api/post/{id}': '2 / 6',
  'GET /api/post/{id}': '1 / 2',
  'PATCH /api/post/{id}': '2 / 7',
  'PUT /api/post/{id}': '2 / 7',
  'POST /api/post/{id}/collections': '3 / 9',
  'DELETE /api/post/{id}/collections/{collectionId}': '2 / 6',
  'GET /api/post/{id}/comments': '1 / 2',
  'POST /api/post/{id}/comments': '2 / 8',
  'POST /api/post/{id}/imported-answers': '2 / 7',
  'POST /api/post/{id}/copy': '4 / 16',
  'DELETE /api/post/{id}/reactions/{emoji}': '1 / 6',
  'PUT /api/post/{id}/reactions/{emoji}': '2 / 8',
  'GET /api/push': '0 / 0',
  'DELETE /api/push/subscriptions': '1 / 3',
  'POST /api/push/subscriptions': '2 / 8',
  'DELETE /api/trash': '1 / 4',
  'GET /api/trash': '1 / 2',
  'POST /api/trash/restore': '2 / 5',
  'POST /api/undo/{changeId}': '3 / 10',
  'GET /api/usage': '1 / 2',
  'GET /api/usage/unattached': '1 / 2',
  'DELETE /api/users/avatar': '2 / 4',
  'PUT /api/users/avatar': '3 / 7',
  'GET /api/users/profile': '1 / 2',
  'PUT /api/users/profile': '1 / 3',
  'GET /api/users/zones': '1 / 2',
  'PUT /api/users/zones': '1 / 6',
  'GET /api/users/theme': '1 / 2',
  'PUT /api/users/theme': '1 / 3',
  'GET /api/users/tokens': '1 / 2',
  'POST /api/users/tokens': '1 / 6',
  'DELETE /api/users/tokens/{id}': '2 / 4',
}

/** Whether the minute's task runs by itself: its trips are not those of a call. */
const minutely = (on: boolean) => fetch(`${inject('stack').control}/scheduled?on=${on}`, { method: 'PUT' })
beforeAll(() => minutely(false))
afterAll(() => minutely(true))

interface Served {
  requests: number
  statements: number
}

/** Calls after whose answer a mail is sent, which takes a while to begin. */
const MAILING = [
  'POST /api/auth/change-email',
  'POST /api/auth/send-verification',
  'POST /api/collections/{id}/invites/invite',
  'POST /api/collections/{id}/invites/people',
]

const served = async (): Promise<Served> => (await fetch(`${inject('stack').control}/served`)).json()

/** Beside the endpoint that counts. */
const db = new pg.Client({ connectionString: inject('stack').postgresUrl })
beforeAll(() => db.connect())
afterAll(() => db.end())

/** Waits until the changes of all calls are marked as published. */
async function published() {
  await expect
    .poll(async () => (await db.query('select from changes where published_at is null limit 1')).rowCount, { interval: 20 })
    .toBe(0)
}

/** Waits until the database has had no request for `quiet` milliseconds, then returns the number of all so far. */
async function settled(quiet = 60): Promise<Served> {
  let before = await served()
  let since = performance.now()
  await expect
    .poll(
      async () => {
        const now = await served()
        if (now.requests !== before.requests) since = performance.now()
        before = now
        return performance.now() - since
      },
      { interval: 20 },
    )
    .toBeGreaterThan(quiet)
  return before
}

/** Their rows of the table of roles end in refusals, or the stack lacks what they need. */
const NOT_COUNTED = [
  'DELETE /api/access/{kind}/{id}',
  'DELETE /api/users/profile',
  'GET /api/map/tiles',
  'GET /api/users/{id}/avatar',
  'POST /api/asset/{id}/copy',
  'POST /api/auth/change-password',
  // Need the cookie of a link.
  'GET /api/guest',
  'PUT /api/guest',
  'POST /api/collections/{id}/join-requests',
]

test('Every call takes as many trips to the database, and statements, as the table says', async () => {
  const cast = await gather()
  const most = new Map<string, Served>()
  /** Counts a client's calls. */
  function counting(who: Client) {
    const plain = who.call.bind(who)
    who.call = async (method, path, ...more) => {
      // Those of the scene, which no call has made.
      await db.query('update changes set published_at = now() where published_at is null')
      const before = await served()
      const answer = await plain(method, path, ...more)
      const call = `${method} ${endpointOf(method, path.split('?')[0] ?? '').path}`
      await published()
      const mails = answer.status < 400 && MAILING.includes(call)
      const after = await settled(mails ? 2_000 : undefined)
      if (answer.status >= 400) return answer
      const { requests = 0, statements = 0 } = most.get(call) ?? {}
      most.set(call, {
        requests: Math.max(requests, after.requests - before.requests),
        statements: Math.max(statements, after.statements - before.statements),
      })
      return answer
    }
    return who
  }
  for (const name of ['ada', 'wes', 'ivy']) {
    const who = counting(cast.w.as(name))
    await who.get('/api/auth/session')
    for (const [, , call] of TABLE) {
      const known = (await endpointsOf(call)).every(({ method, path }) => most.has(`${method} ${path}`))
      // Some calls only others than the owner can make.
      if (name === 'ada' || !known) await call(who, await stage(cast, name))
    }
  }
  const counted = [...most].map(([call, { requests, statements }]) => [call, `${requests} / ${statements}`])
  expect(Object.fromEntries(counted)).toEqual(TRIPS)
}, 240_000)

/** As above, of a guest of a link to the whole collection. Comments and uploads are with the first of their guest. */
const GUEST_TRIPS: Record<string, string> = {
  'GET /s/{secret}, for the first time': '11 / 16',
  'GET /s/{secret}, again': '7 / 11',
  'GET /s/{secret}/post/{id}': '6 / 10',
  'POST /api/links/{secret}/enter': '4 / 9',
  'POST /api/live/ticket': '1 / 2',
  'GET /api/collections/{id}': '1 / 2',
  'GET /api/collections/{id}/people': '1 / 2',
  'GET /api/post': '1 / 2',
  'GET /api/post, since a revision': '1 / 2',
  'GET /api/post/{id}': '1 / 2',
  'GET /api/asset': '1 / 2',
  'GET /api/asset/{id}': '1 / 2',
  'GET /api/asset/{id}/renditions/{rendition}': '1 / 2',
  'GET /api/post/{id}/comments': '1 / 2',
  'POST /api/post/{id}/comments': '2 / 10',
  'PUT /api/post/{id}/reactions/{emoji}': '2 / 10',
  'POST /api/asset, whole': '3 / 15',
}

test('Every call of a guest takes as many trips to the database, and statements, as the table says', async () => {
  const w = await world()
  const { id } = w.collection
  const post = (await w.as('ada').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [id] })).body.post.id
  const thumb = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .webp()
    .toBuffer()
  const asset = (await sendWhole(w.as('ada'), jpegLike(), { asset: { collectionIds: [id] }, thumb })).body.asset.id
  const link = await makeLink(w.as('ada'), id, { allows: 'add', name: 'For grandmother' })
  const page = new URL(link.url).pathname
  const visitor = new Client(w.origin)
  const guest = new GuestClient(w.origin)
  const now = { revision: 0 }
  const of = (path: string) => `${path}?collection_id=${id}`
  const calls: [string, () => Promise<Answer>][] = [
    ['GET /s/{secret}, for the first time', () => visitor.get(page, { headers: { 'sec-fetch-dest': 'document' } })],
    ['GET /s/{secret}, again', () => visitor.get(page)],
    ['GET /s/{secret}/post/{id}', () => visitor.get(`${page}/post/${post}`)],
    ['POST /api/links/{secret}/enter', () => guest.enter(link.url, { name: 'Oma' })],
    ['POST /api/live/ticket', () => guest.post('/api/live/ticket', { room: `collection:${id}` })],
    ['GET /api/collections/{id}', () => guest.get(`/api/collections/${id}`)],
    ['GET /api/collections/{id}/people', () => guest.get(`/api/collections/${id}/people`)],
    ['GET /api/post', () => guest.get(of('/api/post')).then((answer) => Object.assign(now, answer.body) && answer)],
    ['GET /api/post, since a revision', () => guest.get(`${of('/api/post')}&since=${now.revision}`)],
    ['GET /api/post/{id}', () => guest.get(`/api/post/${post}`)],
    ['GET /api/asset', () => guest.get(of('/api/asset'))],
    ['GET /api/asset/{id}', () => guest.get(`/api/asset/${asset}`)],
    ['GET /api/asset/{id}/renditions/{rendition}', () => guest.get(`/api/asset/${asset}/renditions/thumb`)],
    ['GET /api/post/{id}/comments', () => guest.get(of(`/api/post/${post}/comments`))],
    ['POST /api/post/{id}/comments', () => guest.post(`/api/post/${post}/comments`, { collection_id: id, text: 'How white' })],
    ['PUT /api/post/{id}/reactions/{emoji}', () => guest.put(of(`/api/post/${post}/reactions/👍`))],
    ['POST /api/asset, whole', () => sendWhole(guest, jpegLike(), { asset: {} })],
  ]
  const counted: Record<string, string> = {}
  for (const [call, run] of calls) {
    await published()
    const before = await settled()
    const { status, body } = await run()
    expect(status, `${call} ${JSON.stringify(body)}`).toBeLessThan(300)
    await published()
    const after = await settled()
    counted[call] = `${after.requests - before.requests} / ${after.statements - before.statements}`
  }
  expect(counted).toEqual(GUEST_TRIPS)
})

test('A photo sent whole takes two trips, and one for the mark after its answer', async () => {
  const w = await world()
  await published()
  const before = await settled()
  const thumb = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .webp()
    .toBuffer()
  expect((await sendWhole(w.as('ada'), jpegLike(), { asset: { collectionIds: [w.collection.id] }, thumb, preview: thumb })).status).toBe(
    201,
  )
  await published()
  expect((await settled()).requests - before.requests).toBe(3)
})

test('Opening a collection takes one trip, and none for the first pictures', async () => {
  const w = await world()
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .webp()
    .toBuffer()
  const sent = { asset: { collectionIds: [w.collection.id] }, thumb: picture, preview: picture }
  const { body } = await sendWhole(w.as('ada'), jpegLike(), sent)
  await published()
  const before = await settled()
  await w.as('ada').get(`/api/bootstrap?collection_id=${w.collection.id}`)
  const { id, file_version } = body.asset
  expect((await w.as('ada').get(`/api/asset/${id}/renditions/thumb?v=${file_version}`)).status).toBe(200)
  expect((await settled()).requests - before.requests).toBe(1)
})

test('The table has every call that requires a session', () => {
  const calls = ENDPOINTS.filter((endpoint) => !endpoint.public).map(({ method, path }) => `${method} ${path}`)
  expect(calls.filter((call) => !TRIPS[call] && !NOT_COUNTED.includes(call))).toEqual([])
})
