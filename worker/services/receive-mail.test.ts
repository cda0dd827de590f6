import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { mailOf } from '../../tests/support/mail-in.ts'
import type { Env } from '../env.ts'
import { receiveMail } from './receive-mail.ts'

/** Nothing listens on this port. */
const env = { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c', NEON_PROXY: '127.0.0.1:1', MAIL_IN_DOMAIN: 'in.example.org' } as Env

function delivery(to: string) {
  const raw = mailOf({ from: 'ada@example.org', to, text: 'Hi' })
  const rejected: string[] = []
  const setReject = (reason: string) => void rejected.push(reason)
  return { from: 'ada@example.org', to, raw: new Blob([new Uint8Array(raw)]).stream(), rawSize: raw.length, setReject, rejected }
}

test('Without the database, a mail is neither taken nor refused, so that the other server tries again', async () => {
  const secret = 'a'.repeat(26)
  const mail = delivery(`${secret}@in.example.org`)
  const thrown = await receiveMail(mail, env, { waitUntil: () => {} }).catch((error) => error)
  expect(thrown).toBeInstanceOf(Error)
  // The platform logs it.
  expect(inspect(thrown, { depth: null })).not.toContain(secret)
  expect(mail.rejected).toEqual([])
})

test('A mail to no address of this site is refused without asking the database', async () => {
  const mail = delivery('hello@in.example.org')
  await receiveMail(mail, env, { waitUntil: () => {} })
  expect(mail.rejected).toEqual([expect.stringMatching(/^This address takes no mail from you/)])
})
