import { afterEach, expect, test, vi } from 'vitest'
import { digest } from '../contract/bytes.ts'
import { readSignedPublication, signPublication } from './signed-publication.ts'

const KEY = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I='
const ROOM = 'collection:0198b2c4-0000-7000-8000-000000000001'

afterEach(() => void vi.useRealTimers())

test('a signed publication contains the room, the digest of the body and a new nonce', async () => {
  const [one, two] = [
    await readSignedPublication(KEY, await signPublication(KEY, ROOM, '{}')),
    await readSignedPublication(KEY, await signPublication(KEY, ROOM, '{}')),
  ]
  expect(one).toMatchObject({ room: ROOM, digest: await digest('{}') })
  expect(one?.nonce).not.toBe(two?.nonce)
})

test('a signed publication expires after 30 s plus tolerance, and its nonce is kept until then', async () => {
  vi.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z') })
  const signed = await signPublication(KEY, ROOM, '{}')
  vi.setSystemTime(new Date('2026-05-01T12:00:34Z'))
  const read = await readSignedPublication(KEY, signed)
  expect(read?.until).toBe(Date.parse('2026-05-01T12:00:35Z'))
  vi.setSystemTime(new Date('2026-05-01T12:00:36Z'))
  expect(await readSignedPublication(KEY, signed)).toBeNull()
})

test.each([
  ['a missing header', async () => null],
  ['a malformed token', async () => 'Bearer x.y.z'],
  ['a signature with another key', () => signPublication(`${KEY}x`, ROOM, '{}')],
  ['another scheme', async () => (await signPublication(KEY, ROOM, '{}')).replace('Bearer', 'Basic')],
])('readSignedPublication refuses %s', async (_, header) => {
  expect(await readSignedPublication(KEY, await header())).toBeNull()
})
