import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { type Answer, type CallOptions, Client } from '../../dev/http-client.ts'
import { enter, type LiveSocket, turnedAway } from '../party/live-socket.ts'
import { guestIn, makeLink } from '../support/guests.ts'
import { mailedToken } from '../support/mail.ts'
import { startPushService } from '../support/push-service.ts'
import { type Cast, gather, type Scene, stage } from '../support/role-scene.ts'
import { TABLE } from '../support/role-table.ts'
import { reseal, sessionCookies } from '../support/sessions.ts'
import { runMinutesTask } from '../support/storage.ts'
import { TokenClient } from '../support/tokens.ts'
import { type Actor, PASSWORD, register, world } from '../support/world.ts'

/** What is revoked is gone at the next request, and its sockets within a second. */

/** A user, with what opens their collections in several places. */
interface Holder {
  /** The browser that revokes. */
  desk: Actor
  password: string
}

/** What one more browser of the user has, and copies of it. */
interface Loot {
  phone: Client
  session: string
  /** Has copies of the phone's cookies. */
  thief: Thief
  script: TokenClient
  calendar: string
  /** Address at which a push service takes notifications for the phone. */
  push: string
  ticket: { url: string; ticket: string }
  /** An open socket of the phone, and one of the script. */
  sockets: LiveSocket[]
}

/** Sends the same cookies with every call, whatever the answers say, and records the status of each. */
class Thief extends Client {
  readonly #cookies: string
  statuses: number[] = []

  constructor(victim: Client) {
    super(victim.origin)
    this.#cookies = victim.cookieHeader()
  }

  override async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const answer = await super.call(method, path, body, { ...options, headers: { ...options.headers, cookie: this.#cookies } })
    this.statuses.push(answer.status)
    return answer
  }
}

async function signedIn({ desk, password }: Holder): Promise<Client> {
  const browser = new Client(desk.origin)
  const { status } = await browser.post('/api/auth/sign-in', { email: desk.email, password })
  expect(status).toBe(200)
  return browser
}

async function loot(holder: Holder, collection: string): Promise<Loot> {
  const phone = await signedIn(holder)
  const { secret } = (await phone.post('/api/users/tokens', { name: newId(), scope: 'write' })).body
  const script = new TokenClient(phone.origin, secret)
  const { url } = (await phone.put(`/api/collections/${collection}/calendar-link`, {})).body
  const push = `https://push.example.org/send/${newId()}`
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  expect((await phone.post('/api/push/subscriptions', { endpoint: push, keys })).status).toBe(200)
  const room = `collection:${collection}`
  const sockets = await Promise.all([phone, script].map((client) => enter(client, room)))
  const ticket = (await phone.post('/api/live/ticket', { room })).body
  const { sessions } = (await phone.get('/api/access')).body
  const session = sessions.find(({ current }: { current: boolean }) => current).id
  return { phone, session, thief: new Thief(phone), script, calendar: new URL(url).pathname, push, ticket, sockets }
}

const deleteAccount = ({ desk }: Holder) => desk.delete('/api/users/profile', { email: desk.email, items: 'leave', deleteCollections: [] })

/** Ways to revoke, each with whether it ends everything of the user, and whether the browser that did it stays signed in. */
const WAYS: [what: string, ends: 'session' | 'everything', stays: boolean, act: (holder: Holder, loot: Loot) => Promise<Answer>][] = [
  ['signing out', 'session', true, (_, { phone }) => phone.post('/api/auth/sign-out')],
  ['signing it out from another device', 'session', true, ({ desk }, { session }) => desk.delete(`/api/access/session/${session}`)],
  ['signing out everywhere', 'everything', false, ({ desk }) => desk.delete('/api/access')],
  [
    'a new password',
    'everything',
    true,
    async (holder) => {
      const [currentPassword, newPassword] = [holder.password, `new ${newId()}`]
      holder.password = newPassword
      return holder.desk.post('/api/auth/change-password', { currentPassword, newPassword })
    },
  ],
  [
    'a password that was reset',
    'everything',
    false,
    async (holder) => {
      const { email, origin } = holder.desk
      await new Client(origin).post('/api/auth/forgot-password', { email })
      const token = await mailedToken(email, 'new password')
      holder.password = `new ${newId()}`
      return new Client(origin).post('/api/auth/reset-password', { token, newPassword: holder.password })
    },
  ],
  [
    'a new address',
    'everything',
    true,
    async (holder) => {
      const email = `${newId()}@example.org`
      await holder.desk.post('/api/auth/change-email', { email })
      const confirmed = await holder.desk.post('/api/auth/verify-email', { token: await mailedToken(email, 'Confirm') })
      holder.desk.email = email
      return confirmed
    },
  ],
  ['the end of the account', 'everything', false, deleteAccount],
]

test.each(WAYS)('After %s, %s has ended at the next request, and so have its sockets', async (_, ends, stays, act) => {
  const w = await world({ bob: 'admin' })
  const holder: Holder = { desk: w.as('bob'), password: PASSWORD }
  const { path, collection } = { path: `/api/collections/${w.collection.id}`, collection: w.collection.id }
  const { thief, script, calendar, ticket, sockets, ...taken } = await loot(holder, collection)
  expect((await thief.get(path)).status).toBe(200)
  const others = await enter(w.as('ada'), `collection:${collection}`)
  expect((await act(holder, { thief, script, calendar, ticket, sockets, ...taken })).status).toBe(200)
  const everything = ends === 'everything'

  const [ofPhone, ofScript] = sockets
  // Whoever deleted their account is no longer a member, too.
  const codes = act === deleteAccount ? [4003, 4005] : [4005]
  expect(codes).toContain((await ofPhone?.untilClosed())?.code)
  if (everything) expect(codes).toContain((await ofScript?.untilClosed())?.code)
  else expect(ofScript?.closed).toBeNull()
  expect(others.closed).toBeNull()

  for (const call of ['get', 'delete'] as const) expect((await thief[call](path)).status).toBe(401)
  expect((await thief.post('/api/auth/refresh')).status).toBe(401)
  expect((await thief.get('/api/auth/session')).body.user).toBeNull()
  expect(await turnedAway(`${ticket.url}?ticket=${ticket.ticket}`)).toBe(401)
  expect(await w.sql`select from push_subscriptions where endpoint = ${taken.push}`).toEqual([])
  expect((await script.get(path)).status).toBe(everything ? 401 : 200)
  expect((await w.anonymous.get(calendar)).status).toBe(everything ? 404 : 200)
  expect((await holder.desk.get('/api/auth/session')).body.user?.id ?? null).toBe(stays ? holder.desk.id : null)
  expect((await w.as('ada').get(path)).status).toBe(200)
})

describe('a session that has ended', () => {
  let cast: Cast
  let thief: Thief
  let scene: Scene
  let before: unknown

  const state = async () => {
    const [row] = await cast.w.sql`select revision, (select count(*) from tokens where user_id = ${cast.w.as('ada').id}) as tokens
      from collections where id = ${scene.collection}`
    return row
  }

  beforeAll(async () => {
    cast = await gather()
    const phone = await signedIn({ desk: cast.w.as('ada'), password: PASSWORD })
    thief = new Thief(phone)
    expect((await phone.post('/api/auth/sign-out')).status).toBe(200)
    scene = await stage(cast, 'ada')
    before = await state()
  })

  /** Calls that are answered before the database is asked: they show nothing of an account, and change nothing. */
  const WITHOUT_DATABASE = [
    'see the sources of the map',
    'fetch tiles of the map',
    'see how to subscribe to notifications',
    'delete the account without its address',
  ]

  test.each(TABLE.filter(([what]) => !WITHOUT_DATABASE.includes(what)))('can no longer %s', async (_what, _expected, call) => {
    thief.statuses = []
    await call(thief, scene)
    expect(thief.statuses[0]).toBe(401)
    expect(await state()).toEqual(before)
  })
})

describe('a guest whose link has ended', () => {
  let cast: Cast
  let scene: Scene
  let guest: Client
  let statuses: number[] = []
  const state = async () => (await cast.w.sql`select revision, post_count, asset_count from collections where id = ${scene.collection}`)[0]

  beforeAll(async () => {
    cast = await gather()
    scene = await stage(cast, 'ada')
    guest = await guestIn(cast.w, scene.adasLink)
    expect((await guest.get(scene.path)).status).toBe(200)
    expect((await cast.w.as('ada').delete(`${scene.path}/links/${scene.adasLink}`)).status).toBe(200)
    const call = guest.call.bind(guest)
    guest.call = async (...request) => {
      const answer = await call(...request)
      statuses.push(answer.status)
      return answer
    }
  })

  test.each(TABLE)('can no longer %s', async (_what, _expected, call) => {
    statuses = []
    const before = await state()
    await call(guest, scene)
    expect(statuses[0]).toBe(401)
    expect(await state()).toEqual(before)
  })
})

test('Without re-authentication, a session makes nothing that outlives it', async () => {
  const w = await world()
  const ada = w.as('ada')
  const service = await startPushService()
  const browser = service.browser()
  expect((await ada.post('/api/push/subscriptions', browser.subscription)).status).toBe(200)
  await reseal(ada, { provenAt: Date.now() - 11 * 60_000 })
  const refused = [
    await ada.post('/api/users/tokens', { name: 'T', scope: 'read' }),
    await ada.put(`/api/collections/${w.collection.id}/calendar-link`, {}),
    await ada.post('/api/push/subscriptions', service.browser().subscription),
  ]
  for (const { status, body } of refused) expect([status, Object.keys(body.error.fields)]).toEqual([403, ['password']])
  // The browser that has notifications keeps them.
  expect((await ada.post('/api/push/subscriptions', browser.subscription)).status).toBe(200)
  await service.stop()
})

test('Notifications end with the session that turned them on, and not with another', async () => {
  const w = await world()
  const ada = w.as('ada')
  const phone = await signedIn({ desk: ada, password: PASSWORD })
  const service = await startPushService()
  for (const client of [ada, phone]) expect((await client.post('/api/push/subscriptions', service.browser().subscription)).status).toBe(200)
  const { push, sessions } = (await ada.get('/api/access')).body
  expect(push.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true])
  expect(sessions).toHaveLength(2)
  await phone.post('/api/auth/sign-out')
  expect((await ada.get('/api/access')).body.push).toEqual([expect.objectContaining({ current: true })])
  expect((await ada.delete(`/api/access/push/${(await ada.get('/api/access')).body.push[0].id}`)).status).toBe(200)
  expect((await ada.get('/api/access')).body).toMatchObject({ push: [], sessions: [{ current: true }] })
  await service.stop()
})

test('A list of everything that opens the collections names them, and each is revoked alone', async () => {
  const w = await world({ eve: null })
  const [ada, eve] = [w.as('ada'), w.as('eve')]
  await ada.post('/api/users/tokens', { name: 'Backup', scope: 'read' })
  await ada.put(`/api/collections/${w.collection.id}/calendar-link`, { notes: true })
  const link = await makeLink(ada, w.collection.id, { name: 'For grandmother' })
  const { tokens, calendarLinks } = (await ada.get('/api/access')).body
  const { links } = (await ada.get('/api/access')).body
  expect(links).toEqual([
    expect.objectContaining({ id: link.id, collection_id: w.collection.id, collection: 'Kyoto', name: 'For grandmother' }),
  ])
  expect(links[0]).not.toHaveProperty('url')
  await ada.delete(`/api/collections/${w.collection.id}/links/${link.id}`)
  expect((await ada.get('/api/access')).body.links).toEqual([])
  expect(tokens).toEqual([expect.objectContaining({ name: 'Backup', scope: 'read' })])
  expect(calendarLinks).toEqual([expect.objectContaining({ id: w.collection.id, collection: 'Kyoto', notes: true, last_used_at: null })])
  for (const [kind, id] of [
    ['token', tokens[0].id],
    ['calendar', w.collection.id],
  ]) {
    expect((await eve.delete(`/api/access/${kind}/${id}`)).status).toBe(404)
    expect((await ada.delete(`/api/access/${kind}/${id}`)).status).toBe(200)
    expect((await ada.delete(`/api/access/${kind}/${id}`)).status).toBe(404)
  }
  expect((await ada.get('/api/access')).body).toMatchObject({ tokens: [], calendarLinks: [] })
  expect((await ada.delete(`/api/access/everything/${newId()}`)).status).toBe(404)
  expect((await ada.delete('/api/access/token/x')).status).toBe(404)
})

test('Revoking the own session is a sign-out', async () => {
  const ada = await register('ada')
  const { sessions } = (await ada.get('/api/access')).body
  const { status, headers } = await ada.delete(`/api/access/session/${sessions[0].id}`)
  expect([status, headers.get('clear-site-data'), ada.cookies.has('session')]).toEqual([200, '"cache"', false])
})

test('A cookie of a version without sessions in the database is no session', async () => {
  const ada = await register('ada')
  await reseal(ada, { id: undefined })
  expect((await ada.get('/api/collections')).status).toBe(401)
  expect(sessionCookies(ada)).toEqual([])
})

test('A session that was not used for 90 days, or began 400 days ago, has ended', async () => {
  const w = await world({ bob: 'read', cy: 'read' })
  const age = (name: string, column: string, days: number) =>
    w.sql.query(`update sessions set ${column} = now() - $1 * interval '1 day' where user_id = $2`, [days, w.as(name).id])
  await age('ada', 'used_at', 89)
  await age('bob', 'used_at', 91)
  await age('cy', 'created_at', 401)
  await runMinutesTask()
  const status = async (name: string) => (await w.as(name).get('/api/collections')).status
  await expect.poll(() => status('cy')).toBe(401)
  expect([await status('ada'), await status('bob')]).toEqual([200, 401])
})
