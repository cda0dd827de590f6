import { expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { mailTo } from '../support/mail.ts'
import { world } from '../support/world.ts'

test('An invited user gets a mail with the inviter and the link to answer', async () => {
  const w = await world()
  const email = `eve-${crypto.randomUUID()}@example.org`
  const sent = await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })
  expect(sent).toMatchObject({ status: 200, body: { mailed: true } })
  const { subject, text, link } = await mailTo(email, 'invited you')
  expect(subject).toBe('Ada Test invited you to “Kyoto” on Cairn')
  expect(text).toContain(email)
  expect(link).toBe(`${w.origin}/collections`)
})

test('An address invited repeatedly gets only a few mails', async () => {
  const w = await world()
  const [often, other] = [1, 2].map(() => `eve-${crypto.randomUUID()}@example.org`)
  if (!often || !other) throw new Error('There are no addresses')
  const key = await attemptKey('invitation', `email:${often}`)
  // The tests' stack allows a thousand times as many.
  await w.sql`insert into rate_limits (key, tries, resets_at)
    values (${key}, ${LIMITS.attempts.invitation.perEmail * 1000}, now() + interval '5 minutes')`
  for (const email of [often, other]) {
    expect((await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role: 'read' })).status).toBe(200)
  }
  await mailTo(other, 'invited you')
  const attempts = async () => (await w.sql`select tries from rate_limits where key = ${key}`)[0]?.tries
  await expect.poll(attempts).toBe(LIMITS.attempts.invitation.perEmail * 1000 + 1)
  await expect(mailTo(often, 'invited you', 0)).rejects.toThrow('No mail')
})
