import { SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { readTicket, signTicket } from './tickets.ts'

const env = { LIVE_KEY: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I=' }
const room = 'collection:0198b2c4-0000-7000-8000-000000000001'
const bob = {
  room,
  sub: 'bob',
  access: '0198b2c4-0000-7000-8000-00000000000a',
  name: 'Bob Löwe',
  hidden: false,
  role: 'read',
  revision: 7,
  confirmed: true,
} as const
const refused = expect.objectContaining({ code: 'unauthenticated' })

afterEach(() => {
  vi.useRealTimers()
})

test('a ticket contains the user, the room and the lifetime of the socket', async () => {
  const { ticket, expiresAt } = await signTicket(env, bob)
  const { life, ...read } = await readTicket(env, ticket)
  expect(read).toEqual(bob)
  expect(life).toBeGreaterThanOrEqual(13 * 60)
  expect(life).toBeLessThanOrEqual(15 * 60)
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(58_000)
})

test('a ticket expires after 60 seconds', async () => {
  vi.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z') })
  const { ticket } = await signTicket(env, bob)
  vi.setSystemTime(new Date('2026-05-01T12:00:59Z'))
  await expect(readTicket(env, ticket)).resolves.toMatchObject(bob)
  vi.setSystemTime(new Date('2026-05-01T12:01:00Z'))
  await expect(readTicket(env, ticket)).rejects.toEqual(refused)
})

test('readTicket refuses forged, unsigned and malformed tickets', async () => {
  const { ticket } = await signTicket(env, bob)
  const [header, payload, signature] = ticket.split('.')
  const forged = btoa(JSON.stringify({ ...bob, sub: 'eve', life: 900 })).replace(/=+$/, '')
  const unsigned = `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${payload}.`
  for (const bad of ['', 'ticket', `${header}.${forged}.${signature}`, unsigned]) {
    await expect(readTicket(env, bad)).rejects.toEqual(refused)
  }
  await expect(readTicket({ LIVE_KEY: `${env.LIVE_KEY}x` }, ticket)).rejects.toEqual(refused)
})

test('readTicket refuses a ticket signed with LIVE_KEY itself', async () => {
  const ticket = await new SignJWT({ room, name: 'Bob', life: 900 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('bob')
    .setIssuedAt()
    .setExpirationTime('60 s')
    .sign(new TextEncoder().encode(env.LIVE_KEY))
  await expect(readTicket(env, ticket)).rejects.toEqual(refused)
})
