import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../env.ts'
import { encryptFor } from '../push/encrypt.ts'
import { claimNews, countUnseen } from '../queries/news.ts'
import { listSubscriptions } from '../queries/push.ts'
import { claimAnswers } from '../queries/push-answers.ts'
import { bodyOf, bodyOfAnswers, pushNews } from './push-news.ts'

vi.mock('../live/party-host.ts', () => ({ usersIn: async () => [] }))
vi.mock('../push/encrypt.ts')
vi.mock('../push/vapid.ts', () => ({ vapidOf: () => ({}), vapidAuthorization: async () => '' }))
vi.mock('../queries/news.ts', { spy: true })
vi.mock('../queries/push.ts', { spy: true })
vi.mock('../queries/push-answers.ts')

const none = { author: 'Ana', others: 0, posts: 0, photos: 0, videos: 0, files: 0 }

test('a notification has the author and the number of items of each kind', () => {
  expect(bodyOf({ ...none, photos: 42 })).toBe('Ana added 42 photos')
  expect(bodyOf({ ...none, posts: 1 })).toBe('Ana added 1 post')
  expect(bodyOf({ ...none, photos: 2, posts: 1 })).toBe('Ana added 2 photos and 1 post')
  expect(bodyOf({ ...none, others: 1, photos: 2, videos: 1, files: 3, posts: 4 })).toBe(
    'Ana and 1 other added 2 photos, 1 video, 3 files and 4 posts',
  )
  expect(bodyOf({ ...none, others: 3, photos: 1_000 })).toBe('Ana and 3 others added more than 999 items')
})

test('a notification of comments has who wrote them, and whether they name its reader', () => {
  const one = { author: 'Ana', others: 0, comments: 1, mentioned: false }
  expect(bodyOfAnswers(one)).toBe('Ana wrote a comment')
  expect(bodyOfAnswers({ ...one, mentioned: true })).toBe('Ana mentioned you in a comment')
  expect(bodyOfAnswers({ ...one, others: 2, comments: 1_200 })).toBe('Ana and 2 others wrote 1,200 comments')
  expect(bodyOfAnswers({ ...one, comments: 2, mentioned: true })).toBe('Ana wrote 2 comments and mentioned you')
})

const env = { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c', NEON_PROXY: '127.0.0.1:1' } as Env
const kyoto = { userId: 'bob', displayLanguage: null, language: null, collectionId: '1', collection: 'Kyoto' }
const added = [{ ...kyoto, ...none, photos: 2 }]
const said = [{ ...kyoto, author: 'Ana', others: 0, comments: 1, mentioned: false, item: null }]
const lost = () => Promise.reject(new Error('The connection was lost'))

/** The messages that Bob's browser was sent. */
const sent = () => vi.mocked(encryptFor).mock.calls.map(([, message]) => JSON.parse(message))

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 201 }))
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.mocked(encryptFor).mockReset().mockResolvedValue(new Uint8Array())
  vi.mocked(claimNews).mockResolvedValue(added)
  vi.mocked(claimAnswers).mockResolvedValue(said)
  vi.mocked(countUnseen).mockResolvedValue(new Map([['bob', 3]]))
  const endpoint = 'https://fcm.googleapis.com/fcm/send/a'
  vi.mocked(listSubscriptions).mockResolvedValue([{ id: '1', userId: 'bob', endpoint, p256dh: '', auth: '' }])
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('where the badge cannot be counted, news is sent without it', async () => {
  vi.mocked(countUnseen).mockImplementation(lost)
  await pushNews(env)
  const bodies = ['Ana added 2 photos', 'Ana wrote a comment']
  expect(sent()).toEqual(bodies.map((body) => expect.objectContaining({ title: 'Kyoto', body })))
  for (const message of sent()) expect(message).not.toHaveProperty('unseen')
})

test.each([
  ['items', () => vi.mocked(claimNews).mockImplementation(lost), 'Ana wrote a comment'],
  ['comments', () => vi.mocked(claimAnswers).mockImplementation(lost), 'Ana added 2 photos'],
])('where news of %s cannot be found, the other is sent', async (_what, fail, body) => {
  fail()
  await expect(pushNews(env)).rejects.toThrow('The connection was lost')
  expect(sent()).toEqual([expect.objectContaining({ body, unseen: 3 })])
})
