import { DrizzleQueryError } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Env } from '../env.ts'
import { relayChanges } from '../live/change-relay.ts'
import { deleteStaleFilms, listKnownFilms } from '../queries/films.ts'
import * as queries from '../queries/sweep.ts'
import { compareStorage } from './compare-storage.ts'
import { sweep } from './sweep.ts'

vi.mock('../live/change-relay.ts', () => ({ relayChanges: vi.fn(async () => 0) }))
vi.mock('../queries/accounts.ts', () => ({ listAvatarsOfDeleted: vi.fn(async () => []) }))
vi.mock('../queries/access.ts')
vi.mock('../queries/films.ts')
vi.mock('../queries/mailed-links.ts')
vi.mock('../queries/rate-limits.ts')
vi.mock('../queries/refreshes.ts')
vi.mock('../queries/sweep.ts')
vi.mock('../queries/zones.ts')
vi.mock('./read-metadata.ts', () => ({ readUnreadFiles: vi.fn(async () => {}) }))
vi.mock('./invites/notify-invited.ts', () => ({ notifyUntold: vi.fn(async () => {}) }))
vi.mock('./group-shots.ts', () => ({ groupShots: vi.fn(async () => {}) }))
vi.mock('./send-weekly-mails.ts', () => ({ sendWeeklyMails: vi.fn(async () => {}) }))
vi.mock('./tell-of-contributions.ts', () => ({ tellOfContributions: vi.fn(async () => {}) }))

const DAY = 24 * 60 * 60_000
const SITE = newId()
const warned: string[] = []
const isNoMark = (key: string) => !['sweep/site', 'sweep/comparison'].includes(key)

/** The functions of a bucket that the sweep uses. Keys with their ages in days. */
class FakeBucket {
  readonly objects = new Map<string, { age: number; body: string }>()
  readonly aborted: string[] = []

  add(key: string, age: number, body = '') {
    this.objects.set(key, { age, body })
  }

  async list({ prefix = '', startAfter = '', limit = 1000 }: R2ListOptions) {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > startAfter).sort()
    const objects = keys.slice(0, limit).map((key) => ({ key, uploaded: new Date(Date.now() - (this.objects.get(key)?.age ?? 0) * DAY) }))
    return { objects, truncated: keys.length > limit }
  }

  async head(key: string) {
    return this.objects.has(key) ? { key } : null
  }

  async get(key: string) {
    const object = this.objects.get(key)
    return object ? { json: async () => JSON.parse(object.body), text: async () => object.body } : null
  }

  async put(key: string, body: string) {
    this.add(key, 0, body)
  }

  async delete(keys: string | string[]) {
    for (const key of [keys].flat()) this.objects.delete(key)
  }

  resumeMultipartUpload(_key: string, uploadId: string) {
    return { abort: async () => this.aborted.push(uploadId) }
  }
}

let bucket: FakeBucket
let env: Env
beforeEach(() => {
  bucket = new FakeBucket()
  env = { FILES: bucket as unknown as R2Bucket, DATABASE_URL: 'postgresql://u:p@localhost/none' } as Env
  vi.mocked(queries.deleteStaleUploads).mockResolvedValue([])
  vi.mocked(deleteStaleFilms).mockResolvedValue([])
  vi.mocked(listKnownFilms).mockResolvedValue(new Set())
  vi.mocked(queries.deleteOldTrash).mockResolvedValue([])
  vi.mocked(queries.listKnownAssets).mockResolvedValue(new Set())
  vi.mocked(queries.listReadyAssets).mockResolvedValue([])
  vi.mocked(queries.findSite).mockResolvedValue(SITE)
  vi.mocked(queries.insertOrphans).mockClear()
  vi.mocked(queries.listOldOrphans).mockResolvedValue([])
  warned.length = 0
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation((line) => void warned.push(line))
})
afterEach(() => vi.restoreAllMocks())

test('a failed step is logged without the values of its statement, and does not stop the others', async () => {
  const id = newId()
  bucket.add(`assets/${id}/original`, 0)
  vi.mocked(relayChanges).mockRejectedValueOnce(new Error('rooms are down'))
  vi.mocked(queries.deleteStaleUploads).mockRejectedValueOnce(new DrizzleQueryError('select $1', ['a caption'], new Error('no database')))
  vi.mocked(queries.deleteOldTrash).mockResolvedValueOnce([{ id, r2UploadId: null, films: [] }])
  await sweep(env)
  expect([...bucket.objects.keys()].filter((key) => key.startsWith('assets/'))).toEqual([])
  expect(warned.map((line) => JSON.parse(line))).toMatchObject([
    { sweep: 'relayChanges', error: expect.stringContaining('rooms are down') },
    { sweep: 'removeStaleUploads', error: expect.stringContaining('no database') },
  ])
  expect(warned.join()).not.toContain('a caption')
})

test('a stale upload is removed with its parts and renditions', async () => {
  const id = newId()
  bucket.add(`assets/${id}/thumb`, 8)
  vi.mocked(queries.deleteStaleUploads).mockResolvedValueOnce([
    { id, r2UploadId: 'multi-1', films: [{ id: newId(), assetId: id, r2UploadId: 'multi-2' }] },
  ])
  await sweep(env)
  expect(bucket.aborted).toEqual(['multi-1', 'multi-2'])
  expect(bucket.objects.has(`assets/${id}/thumb`)).toBe(false)
})

test('objects are removed once they have had no row for seven days; others stay', async () => {
  const [known, orphan, old, back] = [newId(), newId(), newId(), newId()]
  for (const id of [known, orphan, old, back]) bucket.add(`assets/${id}/original`, 90)
  bucket.add('assets/nonsense', 5)
  bucket.add('sweep/else', 5)
  vi.mocked(queries.listKnownAssets).mockResolvedValue(new Set([known, back]))
  vi.mocked(queries.listOldOrphans).mockResolvedValueOnce([`assets/${old}/original`, `assets/${back}/original`])
  await compareStorage(env)
  const stay = [...[known, orphan, back].map((id) => `assets/${id}/original`), 'assets/nonsense', 'sweep/else']
  expect([...bucket.objects.keys()].filter(isNoMark).sort()).toEqual(stay.sort())
  const found = [`assets/${orphan}/original`, `assets/${old}/original`, 'assets/nonsense']
  expect(vi.mocked(queries.insertOrphans).mock.lastCall?.[1].toSorted()).toEqual(found.sort())
  expect(vi.mocked(queries.deleteOrphans).mock.lastCall?.[1]).toEqual([old, back].map((id) => `assets/${id}/original`))
  expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', keys: [`assets/${old}/original`] }])
})

test('A bucket takes the id of the first database that is compared with it, and another database removes nothing from it', async () => {
  const keys = [newId(), newId()].map((id) => `assets/${id}/original`)
  for (const key of keys) bucket.add(key, 90)
  await compareStorage(env)
  expect(vi.mocked(queries.insertOrphans)).toHaveBeenCalledTimes(1)

  vi.mocked(queries.findSite).mockResolvedValue(newId())
  vi.mocked(queries.listOldOrphans).mockResolvedValue(keys)
  await compareStorage(env)
  expect([...bucket.objects.keys()].filter(isNoMark)).toEqual(keys)
  expect(vi.mocked(queries.insertOrphans)).toHaveBeenCalledTimes(1)
  expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', what: expect.stringContaining('sweep/site') }])

  vi.mocked(queries.findSite).mockResolvedValue(SITE)
  await compareStorage(env)
  expect([...bucket.objects.keys()].filter(isNoMark)).toEqual([])
})

test('a playable film without a row is removed, as one that was not finished in time, with its parts', async () => {
  const [id, known, orphan, stale] = [newId(), newId(), newId(), newId()]
  for (const film of [known, orphan, stale]) bucket.add(`assets/${id}/films/${film}`, 2)
  vi.mocked(queries.listKnownAssets).mockResolvedValue(new Set([id]))
  vi.mocked(listKnownFilms).mockResolvedValue(new Set([known, stale]))
  vi.mocked(queries.listOldOrphans).mockResolvedValueOnce([`assets/${id}/films/${orphan}`])
  await compareStorage(env)
  expect([...bucket.objects.keys()].filter((key) => key.includes('films'))).toEqual(
    [known, stale].map((film) => `assets/${id}/films/${film}`),
  )
  vi.mocked(deleteStaleFilms).mockResolvedValueOnce([{ id: stale, assetId: id, r2UploadId: 'multi-2' }])
  await sweep(env)
  expect(bucket.aborted).toEqual(['multi-2'])
  expect([...bucket.objects.keys()].filter((key) => key.includes('films'))).toEqual([`assets/${id}/films/${known}`])
})

test('a row without its object is logged; one with its object is not', async () => {
  const [there, missing] = [newId(), newId()]
  bucket.add(`assets/${there}/original`, 0)
  vi.mocked(queries.listReadyAssets).mockResolvedValueOnce([there, missing])
  await compareStorage(env)
  expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', key: `assets/${missing}/original` }])
})

test('compareStorage reads 500 objects per run, continues to the end and starts again', async () => {
  const ids = Array.from({ length: 1_201 }, (_, i) => newId(Date.UTC(2026, 0, 1) + i))
  for (const id of ids) bucket.add(`assets/${id}/original`, 3)
  vi.mocked(queries.listKnownAssets).mockImplementation(async (_, asked) => new Set(asked))
  for (const expected of [500, 500, 201, 500]) {
    await compareStorage(env)
    expect(vi.mocked(queries.listKnownAssets).mock.lastCall?.[1]).toHaveLength(expected)
  }
  const ranges = vi
    .mocked(queries.listReadyAssets)
    .mock.calls.slice(-4)
    .map(([, range]) => range)
  expect(ranges.map(({ until }) => until)).toEqual([ids[499], ids[999], null, ids[499]])
  expect(ranges[1]?.after).toBe(ids[499])
  expect(warned.filter((line) => !line.includes('no object'))).toEqual([])
})
