import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callAs } from '../api.ts'
import { dropPrefetched, prefetch } from './prefetch.ts'
import { takeOfCollection, takePrefetched, takeSession, takeTicket } from './prefetched.ts'

const KYOTO = { id: 'kyoto', content: true }
const ANSWER = {
  success: true,
  session: { user: { id: 'ada' }, expiresAt: 'soon' },
  profile: { id: 'ada' },
  collections: ['Kyoto'],
  tickets: [{ room: 'user:ada', ticket: 't' }],
  revision: 7,
  members: ['Ada'],
  content: { posts: { posts: ['Gate'], nextCursor: null, revision: 7 }, assets: { assets: {}, nextCursor: 'next', revision: 7 } },
}

let answer: () => Promise<Response>
beforeEach(() => {
  vi.useFakeTimers()
  callAs('ada')
  answer = async () => new Response(JSON.stringify(ANSWER))
  vi.stubGlobal('fetch', () => answer())
})
afterEach(() => {
  dropPrefetched()
  callAs(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('Each part is given once, with the fields of the call it stands for', async () => {
  prefetch(KYOTO)
  expect(await takeSession()).toMatchObject({ success: true, user: { id: 'ada' }, expiresAt: 'soon', profile: { id: 'ada' } })
  expect(await takePrefetched('collections')).toMatchObject({ success: true, collections: ['Kyoto'] })
  expect(await takeOfCollection('posts', 'kyoto')).toMatchObject({ success: true, posts: ['Gate'], nextCursor: null })
  expect(await takeOfCollection('assets', 'kyoto')).toMatchObject({ success: true, nextCursor: 'next' })
  expect(await takeTicket('user:ada')).toMatchObject({ ticket: 't' })
  expect(takePrefetched('collections')).toBeUndefined()
  expect(takeTicket('user:ada')).toBeUndefined()
})

test('What is another user’s is not given, only that they are signed in', async () => {
  callAs('bob')
  prefetch(KYOTO)
  expect(await takeSession()).toMatchObject({ user: { id: 'ada' } })
  expect(await takePrefetched('collections')).toBeUndefined()
  expect(await takeOfCollection('posts', 'kyoto')).toBeUndefined()
  expect(await takeTicket('user:ada')).toBeUndefined()
})

test('What was taken before another user may have signed in is not given', async () => {
  prefetch(KYOTO)
  const [collections, posts] = [takePrefetched('collections'), takeOfCollection('posts', 'kyoto')]
  dropPrefetched()
  expect(await Promise.all([collections, posts])).toEqual([undefined, undefined])
})

test('What the answer lacks is not given', async () => {
  prefetch(KYOTO)
  expect(await takePrefetched('invitedCollections')).toBeFalsy()
  expect(await takeOfCollection('invites', 'kyoto')).toBeFalsy()
  expect(await takeTicket('collection:kyoto')).toBeFalsy()
})

test('Nothing is given of another collection, or of an older revision than the one that is asked for', async () => {
  prefetch(KYOTO)
  expect(takeOfCollection('posts', 'oslo')).toBeUndefined()
  expect(await takeOfCollection('members', 'kyoto', 8)).toBeUndefined()
  prefetch(KYOTO)
  expect(await takeOfCollection('members', 'kyoto', 7)).toMatchObject({ members: ['Ada'] })
})

test.each<[string, typeof answer]>([
  ['fails', () => Promise.reject(new TypeError('no network'))],
  ['is refused', async () => new Response('{}', { status: 503 })],
  ['takes too long', () => Promise.reject(new DOMException('too long', 'TimeoutError'))],
  ['is no JSON', async () => new Response('<p>proxy</p>')],
])('Nothing is given if the request %s', async (_, how) => {
  answer = how
  prefetch()
  expect(await takeSession()).toBeUndefined()
})

test('What nobody takes is given up after 10 seconds, however long the answer took', async () => {
  answer = () => new Promise((resolve) => setTimeout(() => resolve(new Response(JSON.stringify(ANSWER))), 20_000))
  prefetch()
  await vi.advanceTimersByTimeAsync(29_900)
  expect(await takePrefetched('collections')).toMatchObject({ collections: ['Kyoto'] })
  await vi.advanceTimersByTimeAsync(200)
  expect(takePrefetched('theme')).toBeUndefined()
})
