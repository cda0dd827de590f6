import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { CALLER_HEADER } from '../../../contract/auth.ts'
import { permissionsOf } from '../../../contract/policy.ts'
import { callAs, onSignedOut } from '../api.ts'
import { newItem } from './items.ts'
import { failureOf, uploadTransport } from './transport.ts'
import type { Overrides, PreparedMeta, Sent } from './types.ts'

const [HERE, ELSEWHERE] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
const [ANN, BEN] = ['01890000-0000-7000-8000-000000000003', '01890000-0000-7000-8000-000000000004']
const OTHER = '01890000-0000-7000-8000-000000000005'
const now = '2026-05-01T08:00:00Z'
const meta: PreparedMeta = {
  ...{ checksum: 'a'.repeat(64), type: 'image/jpeg', width: 4, height: 3, duration: null, thumbhash: null },
  ...{ date: null, dateZone: null, datePrecision: 'unknown', location: null },
}
const item = newItem('ada', HERE, new File(['a'], 'a.jpg', { type: 'image/jpeg' }), Date.parse(now))
const asset = {
  ...{ id: ELSEWHERE, user_id: 'ada', user_name: 'Ada', status: 'ready', name: 'a.jpg', type: 'image/jpeg', size: 1 },
  ...{ checksum: meta.checksum, width: 4, height: 3, duration: null, thumbhash: null, alt: null },
  ...{ date: null, date_zone: null, date_precision: 'unknown', location: null, renditions: [], people: [] },
  ...{
    collections: [{ collection_id: HERE, user_id: 'ada', added_at: now }],
    version: 1,
    file_version: 1,
    created_at: now,
    updated_at: now,
  },
}
const collectionWith = (id: string, member_count: number) => ({
  collection: {
    ...{ id, name: 'Other', user_id: 'ada', icon: 'album', theme: null, revision: 1, created_at: now, updated_at: now },
    ...{ role: 'owner', member_count, asset_count: 1, post_count: 0, covers: [], places: 'exact', answers: 'read' },
  },
  role: 'owner',
  permissions: permissionsOf('owner'),
})
const answer = (body: object) => vi.stubGlobal('fetch', async () => Response.json({ success: true, asset, ...body }))

afterEach(() => {
  vi.unstubAllGlobals()
  callAs(null)
})

test.each([
  ['known from another collection is new to this one', { duplicate: true, linked: [HERE] }, false],
  ['that is already in the collection is a duplicate', { duplicate: true, linked: [] }, true],
  ['that was completed before the response was lost is new', {}, false],
])('A file %s', async (_, body, duplicate) => {
  answer(body)
  const { signal } = new AbortController()
  expect(await uploadTransport.begin(item, meta, signal)).toMatchObject({ state: 'ready', duplicate })
  expect(await uploadTransport.complete(item, signal)).toMatchObject({ duplicate })
})

describe('An asset that was here before', () => {
  const given: Overrides = {
    ...{ exactly: false, date: '2019-06-01T10:55:00.000Z', dateZone: 'UTC', datePrecision: 'minute', alt: 'Our lake' },
    ...{ location: { lat: 47.5, lon: 9.25 }, peopleIds: [ANN] },
  }
  /** A server with this asset: answers uploads with it, and keeps what is written. `members` counts those of each collection. */
  function serve(row: object, { members = {} as Record<string, number>, meanwhile = {} as object | null } = {}) {
    const server = { row: { ...asset, ...row } as Asset, written: [] as unknown[] }
    let conflicts = Object.keys(meanwhile ?? {}).length > 0 ? 1 : 0
    vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body?: string }) => {
      const [, collection] = /collections\/([^/?]+)$/.exec(url) ?? []
      if (collection && !members[collection])
        return Response.json({ success: false, error: { code: 'not_found', message: 'Not yours' } }, { status: 404 })
      if (collection) return Response.json({ success: true, ...collectionWith(collection, members[collection] ?? 0) })
      if (method === 'PUT' && conflicts-- > 0) {
        server.row = { ...server.row, ...meanwhile, version: server.row.version + 1 }
        return Response.json({ success: false, error: { code: 'conflict', message: 'Newer' } }, { status: 409 })
      }
      if (method === 'PUT') {
        const { date, dateZone, datePrecision, location, alt, peopleIds } = JSON.parse(body ?? '')
        server.written.push(alt)
        const written = { date, date_zone: dateZone, date_precision: datePrecision, location, alt, people: peopleIds }
        server.row = { ...server.row, ...written, version: server.row.version + 1 }
      }
      return Response.json({ success: true, asset: server.row, changeId: HERE, ...(method === 'POST' && { duplicate: true, linked: [] }) })
    })
    return server
  }
  const { signal } = new AbortController()
  const begin = () => uploadTransport.begin({ ...item, given }, meta, signal)

  test('It gains the date, location, caption and people that it lacks', async () => {
    const server = serve({})
    expect(await begin()).toMatchObject({ duplicate: true, completed: true })
    expect(server.row).toMatchObject({
      ...{ name: 'a.jpg', date: given.date, date_zone: 'UTC', location: given.location, alt: 'Our lake', people: [ANN] },
    })
  })

  test('It keeps what it has, and nothing is written if it lacks nothing', async () => {
    const own = { date: now, date_zone: 'UTC', date_precision: 'day', location: { lat: 1, lon: 2 }, alt: 'Mine' }
    const server = serve({ ...own, people: [BEN] })
    expect(await begin()).toMatchObject({ completed: true })
    expect(server.row).toMatchObject({ ...own, people: [BEN, ANN] })
    const whole = serve({ ...own, people: [ANN] })
    expect(await begin()).toMatchObject({ completed: false })
    expect(whole.written).toEqual([])
  })

  test.each([
    ['has since been edited', { version: 2, file_version: 1 }, {}],
    ['was edited after it got its pictures', { version: 5, file_version: 3 }, {}],
    ['was edited, as an older server tells it', { version: 2, file_version: undefined }, {}],
    ['is also in a collection of others', {}, { [OTHER]: 2 }],
    ['is also in a collection that is out of sight now', {}, {}],
  ])('One that %s gains people at most: what is missing may have been removed', async (why, row, members) => {
    const collections = [...asset.collections, ...(/collection/.test(why) ? [{ ...asset.collections[0], collection_id: OTHER }] : [])]
    const server = serve({ ...row, collections }, { members })
    expect(await begin()).toMatchObject({ duplicate: true, completed: false })
    const { date = null, location = null, alt = null } = asset
    expect(server.row).toMatchObject({ date, location, alt })
  })

  test('One that has only got pictures since its upload, or is also in a collection of the user alone, gains', async () => {
    const collections = [...asset.collections, { ...asset.collections[0], collection_id: OTHER }]
    const server = serve({ version: 3, file_version: 3, collections }, { members: { [OTHER]: 1 } })
    expect(await begin()).toMatchObject({ completed: true })
    expect(server.row.location).toEqual(given.location)
  })

  test('It is tried again when pictures came meanwhile, but not when somebody wrote something', async () => {
    const pictured = serve({}, { meanwhile: { renditions: ['thumb'], file_version: 2 } })
    expect(await begin()).toMatchObject({ completed: true })
    expect(pictured.row).toMatchObject({ renditions: ['thumb'], alt: 'Our lake' })
    const edited = serve({}, { meanwhile: { alt: 'Written meanwhile' } })
    expect(await begin()).toMatchObject({ completed: false })
    expect(edited.row).toMatchObject({ alt: 'Written meanwhile', location: null })
  })

  test('What the same upload learns later is added to what it has filled in itself', async () => {
    const server = serve({})
    const first = { ...item, meta, given: { ...given, location: null } }
    const { asset: row, completed } = (await uploadTransport.begin(first, meta, signal)) as Sent
    await uploadTransport.fillIn(row, { ...item, meta, given, completed }, signal)
    expect(server.row).toMatchObject({ alt: 'Our lake', location: given.location })
  })
})

test('Uploads name their user, and a session of another user is reported as such', async () => {
  const sent = new Map<string, string>()
  class Refused {
    status = 401
    upload = {}
    responseText = JSON.stringify({ success: false, error: { code: 'unauthenticated', message: 'Another' } })
    onload = () => {}
    open() {}
    setRequestHeader = (name: string, value: string) => sent.set(name, value)
    getResponseHeader = (name: string) => (name === CALLER_HEADER ? 'another' : null)
    send = () => this.onload()
  }
  vi.stubGlobal('XMLHttpRequest', Refused)
  const listener = vi.fn()
  const stop = onSignedOut(listener)
  callAs('ada')
  const { signal } = new AbortController()
  await expect(uploadTransport.putPart(HERE, 1, new Blob(['a']), { signal })).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(sent.get(CALLER_HEADER)).toBe('ada')
  expect(listener.mock.calls).toEqual([[true]])
  stop()
})

describe('A request that the browser could not send', () => {
  class Broken {
    upload = {}
    onerror = () => {}
    open() {}
    setRequestHeader() {}
    send = () => this.onerror()
  }
  class GoneBlob extends Blob {
    override slice = () => this
    override arrayBuffer = () => Promise.reject(new DOMException('A requested file was not found', 'NotFoundError'))
  }
  const { signal } = new AbortController()
  const codeOf = (bytes: Blob) => uploadTransport.putPart(HERE, 1, bytes, { signal }).catch((error: unknown) => failureOf(error).code)

  test('It waits for the connection while its file can be read, and fails when that is gone', async () => {
    vi.stubGlobal('XMLHttpRequest', Broken)
    expect(await codeOf(new Blob(['a']))).toBe('offline')
    expect(await codeOf(new GoneBlob(['a']))).toBe('unreadable')
  })
})
