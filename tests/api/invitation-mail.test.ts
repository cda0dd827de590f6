import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { connect } from '../../worker/db/client.ts'
import type { Env } from '../../worker/env.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { notifyInvited } from '../../worker/services/invites/notify-invited.ts'
import { countMails, mailTo } from '../support/mail.ts'
import { spoken } from '../support/spoken.ts'
import { runMinutesTask } from '../support/storage.ts'
import { world } from '../support/world.ts'

const SOON = { timeout: 30_000 }

test('An invited user gets a mail with the inviter and the link to answer', async () => {
  const w = await world()
  const email = `eve-${crypto.randomUUID()}@example.org`
  const sent = await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })
  expect(sent).toMatchObject({ status: 200, body: { mailed: true } })
  const { subject, text, link } = await mailTo(email, 'invited')
  expect(subject).toBe('You are invited to a collection on Cairn')
  expect(text).toContain('Ada Test')
  expect(text).toContain('“Kyoto”')
  expect(text).toContain(email)
  expect(link).toBe(`${w.origin}/collections`)
})

test.each([
  [{ region: 'US' }, (day: Day) => day.us],
  [{}, (day: Day) => day.gb],
])('An invitation mail for a person with %j has the last day as they write it', async (settings, expected) => {
  const w = await world({ bob: null })
  const bob = w.as('bob')
  await bob.put('/api/users/profile', { timeZone: 'UTC', ...settings })
  const { body } = await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email: bob.email, role: 'read' })
  const { text } = await mailTo(bob.email, 'invited')
  expect(text).toContain(`The invitation is valid until ${expected(dayOfMail(body.invite.expires_at))}.`)
})

test('An invitation mail is in the language of the invited, and of the inviter where Cairn does not know them', async () => {
  const w = await world({ bob: null })
  const [ada, bob] = [w.as('ada'), w.as('bob')]
  const eve = `eve-${crypto.randomUUID()}@example.org`
  await ada.put('/api/users/profile', { displayLanguage: 'de' })
  await bob.put('/api/users/profile', { language: 'ja-JP', timeZone: 'UTC' })
  for (const email of [bob.email, eve]) await ada.post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })
  const [japanese, german] = await Promise.all([spoken('ja'), spoken('de')])
  const toBob = await mailTo(bob.email, japanese('You are invited to a collection on Cairn'))
  expect(toBob.text).toMatch(/20\d\d年\d+月\d+日/)
  expect(toBob.html).toContain('lang="ja"')
  const toEve = await mailTo(eve, german('You are invited to a collection on Cairn'))
  expect(toEve.text).toContain('„Kyoto“')
})

interface Day {
  us: string
  gb: string
}

function dayOfMail(moment: string): Day {
  const of = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment))
  return { us: of('en-US'), gb: of('en-GB') }
}

test('An address invited repeatedly gets only a few mails', async () => {
  const w = await world()
  const [often, other] = [1, 2].map(() => `eve-${crypto.randomUUID()}@example.org`)
  if (!often || !other) throw new Error('There are no addresses')
  const key = await attemptKey('invitation', `email:${often}`)
  // The tests' stack allows a thousand times as many.
  await w.sql`insert into rate_limits (key, tries, resets_at)
    values (${key}, ${ATTEMPTS.invitation.perEmail * 1000}, now() + interval '5 minutes')`
  for (const email of [often, other]) {
    expect((await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })).status).toBe(200)
  }
  await mailTo(other, 'invited')
  await expect(mailTo(often, 'invited', 0)).rejects.toThrow('No mail')
})

test('Who could not be told of an invitation is told later, unless it was cancelled or has expired', async () => {
  const w = await world()
  const [late, cancelled, expired, soon] = [1, 2, 3, 4].map(() => `eve-${crypto.randomUUID()}@example.org`) as [
    string,
    string,
    string,
    string,
  ]
  const of = async (email: string) => {
    const { body } = await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })
    return body.invite.id as string
  }
  const untold = () => w.sql`select i.email, t.due_at > now() as waits from invites_to_tell t join invites i on i.id = t.invite_id
    where i.collection_id = ${w.collection.id} order by i.email = ${soon}`
  const ids = await Promise.all([late, cancelled, expired, soon].map(of))
  for (const email of [late, cancelled, expired, soon]) await mailTo(email, 'invited')
  await expect.poll(untold, SOON).toEqual([])

  await w.as('ada').delete(`/api/collections/${w.collection.id}/invites/${ids[1]}`)
  await w.sql`update invites set expires_at = now() - interval '1 hour' where id = ${ids[2]}`
  // As if these requests had been cut off before they sent the mail, the last one just now.
  for (const [nth, id] of ids.entries()) {
    await w.sql`insert into invites_to_tell (invite_id, due_at) values (${id}, now() + make_interval(mins => ${nth === 3 ? 4 : -1}))`
  }
  await expect
    .poll(async () => {
      await runMinutesTask()
      return untold()
    }, SOON)
    .toEqual([{ email: soon, waits: true }])
  expect(await Promise.all([late, cancelled, expired, soon].map((email) => countMails(email, 'invited')))).toEqual([2, 1, 1, 1])
})

test('A mail service that is down uses up no invitations, and one above the limit is mailed later', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const w = await world()
  const email = `eve-${crypto.randomUUID()}@example.org`
  const { invite } = (await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })).body
  await mailTo(email, 'invited')
  const untold = () => w.sql`select invite_id from invites_to_tell where invite_id = ${invite.id}`
  await expect.poll(untold, SOON).toEqual([])

  let [status, mails] = [400, 0]
  const service = createServer((_request, response) => {
    if (status === 200) mails++
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  // A site with the limits that people have.
  const env = { APP_ORIGIN: w.origin, MAIL_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` } as Env
  const db = connect(inject('stack').databaseUrl)
  const sendAgain = async () => {
    await w.sql`insert into invites_to_tell (invite_id, due_at) values (${invite.id}, now() + interval '5 minutes') on conflict do nothing`
    await notifyInvited(env, db, [invite])
  }
  const permitted = ATTEMPTS.invitationFrom.perEmail - 1
  for (let nth = 0; nth <= permitted; nth++) await sendAgain()
  expect(await untold()).toHaveLength(1)
  status = 200
  for (let nth = 0; nth < permitted; nth++) {
    await sendAgain()
    expect([mails, await untold()]).toEqual([nth + 1, []])
  }
  await sendAgain()
  expect([mails, (await untold()).length]).toEqual([permitted, 1])
})
