import { afterEach, expect, test, vi } from 'vitest'
import { CALLER_HEADER } from '../../../contract/auth.ts'
import { callAs, onSignedOut } from '../api.ts'
import { newItem } from './items.ts'
import { uploadTransport } from './transport.ts'
import type { PreparedMeta } from './types.ts'

const [HERE, ELSEWHERE] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
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
  ...{ collections: [{ collection_id: HERE, user_id: 'ada', added_at: now }], version: 1, created_at: now, updated_at: now },
}
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
