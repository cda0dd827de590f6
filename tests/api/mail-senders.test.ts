import { describe, expect, inject, test } from 'vitest'
import { ATTEMPTS, INVITATIONS_PER_DAY } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import type { Answer, Client } from '../../dev/http-client.ts'
import { localSql } from '../../dev/neon.ts'
import { attemptKey, type LimitedAction } from '../../worker/services/accounts/limit-attempts.ts'
import { account, browser, newAddress } from '../support/accounts.ts'
import { mailTo } from '../support/mail.ts'
import { type Actor, PASSWORD, type World, world } from '../support/world.ts'

const sql = localSql(inject('stack').databaseUrl)
/** The tests' stack allows a thousand times as many. */
const FACTOR = 1000

interface Scene {
  /** Owner of a collection with one unlinked person. */
  ada: Actor
  w: World
  person: string
  /** Gets the mail. */
  to: string
}

interface Sender {
  what: string
  send: (scene: Scene, who: Client) => Promise<Answer>
  /** The limits that it counts against, with the subject of each. */
  limits: (scene: Scene) => [action: LimitedAction, subject: string, allowed: number][]
  /** Refused to accounts that have not confirmed their address. */
  needsConfirmedAddress?: true
}

const invitationLimits = ({ ada }: Scene): ReturnType<Sender['limits']> => [
  ['invite', `user:${ada.id}`, ATTEMPTS.invite.perUser],
  ['invite', `day:${ada.id}`, INVITATIONS_PER_DAY[0].number],
  ['youngInvitations', 'site', ATTEMPTS.youngInvitations.perSite],
]

/** Every call that sends mail, except signing in before the address is confirmed (tests/infra/required-confirmation.test.ts). */
const SENDERS: Sender[] = [
  {
    what: 'inviting',
    send: ({ w, to }, who) => who.post(`/api/collections/${w.collection.id}/invites/invite`, { email: to, role: 'read' }),
    limits: invitationLimits,
    needsConfirmedAddress: true,
  },
  {
    what: 'inviting people of a list',
    send: ({ w, to, person }, who) =>
      who.post(`/api/collections/${w.collection.id}/invites/people`, { invites: [{ personId: person, email: to }] }),
    limits: invitationLimits,
    needsConfirmedAddress: true,
  },
  {
    what: 'registering',
    send: ({ to }) => browser().post('/api/auth/sign-up', { email: to, password: PASSWORD }),
    limits: ({ to }) => [['signUp', `email:${to}`, ATTEMPTS.signUp.perEmail]],
  },
  {
    what: 'asking for a new password',
    send: ({ to }) => browser().post('/api/auth/forgot-password', { email: to }),
    limits: ({ to }) => [['reset', `email:${to}`, ATTEMPTS.reset.perEmail]],
  },
  {
    what: 'asking for the link again',
    send: (_, who) => who.post('/api/auth/send-verification'),
    limits: ({ ada }) => [['verification', `user:${ada.id}`, ATTEMPTS.verification.perUser]],
  },
  {
    what: 'changing the address',
    send: ({ to }, who) => who.post('/api/auth/change-email', { email: to }),
    limits: ({ ada, to }) => [
      ['newAddress', `user:${ada.id}`, ATTEMPTS.newAddress.perUser],
      ['newAddress', `email:${to}`, ATTEMPTS.newAddress.perEmail],
    ],
  },
]

async function scene(): Promise<Scene> {
  const w = await world()
  const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Grandma' })).body
  return { ada: w.as('ada'), w, person: person.id, to: newAddress() }
}

const invitations = async ({ w }: Scene) => (await sql`select id from invites where collection_id = ${w.collection.id}`).length
const fill = async (key: string, tries: number) => {
  await sql`insert into rate_limits (key, tries, resets_at) values (${key}, ${tries}, now() + interval '20 hours')
    on conflict (key) do update set tries = excluded.tries, resets_at = excluded.resets_at`
}

describe.each(SENDERS)('$what', ({ send, limits }) => {
  test('It succeeds within its limits', async () => {
    const made = await scene()
    expect((await send(made, made.ada)).status).toBeLessThan(300)
  })

  test('Each of its limits refuses it with a time to wait, and a refused call counts against none', async () => {
    for (const nth of limits(await scene()).keys()) {
      const made = await scene()
      const rows = limits(made)
      const keys = await Promise.all(rows.map(([action, subject]) => attemptKey(action, subject)))
      const [key = '', [, , allowed] = ['invite', '', 0]] = [keys[nth], rows[nth]]
      await fill(key, allowed * FACTOR)
      const counts = () => sql`select key, tries from rate_limits where key = any(${keys}) and tries > 0 order by key`
      const before = await counts()
      try {
        const refused = await send(made, made.ada)
        expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600)
        expect(await counts()).toEqual(before)
        expect(await invitations(made)).toBe(0)
      } finally {
        await sql`delete from rate_limits where key = ${key}`
      }
      expect((await send(made, made.ada)).status).toBeLessThan(300)
    }
  })
})

test.each(SENDERS.filter(({ needsConfirmedAddress }) => needsConfirmedAddress))(
  'Without a confirmed address, $what is refused, and the error says what to do',
  async ({ send }) => {
    const made = await scene()
    await sql`update auth."user" set "emailVerified" = false where id = ${made.ada.id}`
    const { status, body } = await send(made, made.ada)
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
    expect(body.error.message).toContain('Confirm your e-mail address first')
    expect(await invitations(made)).toBe(0)
  },
)

describe('invitations a day', () => {
  const invite = ({ w, ada }: Scene) =>
    ada.post(`/api/collections/${w.collection.id}/invites/invite`, { email: `${newId()}@example.org`, role: 'read' })
  const age = ({ ada }: Scene, days: number) =>
    sql`update users set created_at = now() - make_interval(days => ${days}) where id = ${ada.id}`

  test.each(INVITATIONS_PER_DAY)('An account of $from days may send $number', async ({ from, number }) => {
    const made = await scene()
    await age(made, from)
    const key = await attemptKey('invite', `day:${made.ada.id}`)
    await fill(key, number * FACTOR - 1)
    expect([(await invite(made)).status, (await invite(made)).status]).toEqual([200, 429])
    expect((await invite(made)).body.error.message).toContain(`may send ${number.toLocaleString('en')} invitations a day`)
  })

  test('The limit of the site keeps young accounts from inviting, and nobody else', async () => {
    const [young, old] = [await scene(), await scene()]
    await age(old, 8)
    const key = await attemptKey('youngInvitations', 'site')
    await fill(key, ATTEMPTS.youngInvitations.perSite * FACTOR)
    try {
      expect([(await invite(young)).status, (await invite(old)).status]).toEqual([429, 200])
    } finally {
      await sql`delete from rate_limits where key = ${key}`
    }
  })
})

test('Invitations that are refused count against nobody', async () => {
  const made = await scene()
  const keys = await Promise.all([attemptKey('invite', `day:${made.ada.id}`), attemptKey('invite', `user:${made.ada.id}`)])
  const invite = { email: newAddress(), role: 'read' }
  expect((await made.ada.post(`/api/collections/${newId()}/invites/invite`, invite)).status).toBe(404)
  expect(await sql`select key from rate_limits where key = any(${keys}) and tries > 0`).toEqual([])
})

test('One inviter cannot use up the mails about invitations to an address', async () => {
  const [eve, ada] = [await scene(), await scene()]
  const { to } = eve
  const invite = ({ w }: Scene, who: Actor) => who.post(`/api/collections/${w.collection.id}/invites/invite`, { email: to, role: 'read' })
  await fill(await attemptKey('invitationFrom', `email:${eve.ada.id} ${to}`), ATTEMPTS.invitationFrom.perEmail * FACTOR)
  expect((await invite(eve, eve.ada)).status).toBe(200)
  await expect(mailTo(to, 'invited', 500)).rejects.toThrow('No mail')
  expect((await invite(ada, ada.ada)).status).toBe(200)
  await mailTo(to, 'invited')
})

test('Registering with a known address mails its owner no more often than asking for a new password', async () => {
  const { email } = await account()
  const key = await attemptKey('reset', `email:${email}`)
  await fill(key, ATTEMPTS.reset.perEmail * FACTOR)
  const answer = await browser().post('/api/auth/sign-up', { email, password: 'another password' })
  expect([answer.status, answer.body]).toEqual([201, { success: true, verify: true }])
  await expect(mailTo(email, 'new password', 500)).rejects.toThrow('No mail')
  await sql`delete from rate_limits where key = ${key}`
  await browser().post('/api/auth/sign-up', { email, password: 'another password' })
  await mailTo(email, 'new password')
  expect(await sql`select tries from rate_limits where key = ${key}`).toEqual([{ tries: 1 }])
})
