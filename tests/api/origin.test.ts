import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
})

const unsafe = ENDPOINTS.filter(({ method }) => method !== 'GET')
const pathOf = (path: string) => path.replaceAll('{id}', w.collection.id).replace(/\{\w+\}/g, () => newId())

/** Headers that a browser sends from another site. */
const FOREIGN: [what: string, headers: (own: string) => Record<string, string>][] = [
  ['a foreign page', () => ({ origin: 'https://evil.example' })],
  ['a page without an origin', () => ({ origin: 'null' })],
  ['a sibling domain', (own) => ({ origin: own.replace('127.0.0.1', 'app.127.0.0.1') })],
  ['another port', (own) => ({ origin: own.replace(/\d+$/, '1') })],
  ['another scheme', (own) => ({ origin: own.replace('http:', 'https:') })],
  ['an address that begins like ours', (own) => ({ origin: `${own}.evil.example` })],
  ['a cross-site request that claims our origin', (own) => ({ origin: own, 'sec-fetch-site': 'cross-site' })],
  ['a same-site request that claims our origin', (own) => ({ origin: own, 'sec-fetch-site': 'same-site' })],
  ['a form', () => ({ origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' })],
  ['JSON in plain text', () => ({ origin: 'https://evil.example', 'content-type': 'text/plain' })],
]

describe.each(FOREIGN)('%s with a user’s cookies', (_what, headers) => {
  test('A foreign request with a user’s cookies changes nothing by any call', async () => {
    const ada = w.as('ada')
    for (const { method, path } of unsafe) {
      const answer = await ada.call(method, pathOf(path), '{}', { headers: { 'content-type': 'application/json', ...headers(w.origin) } })
      expect([answer.status, answer.body.error.code], `${method} ${path}`).toEqual([403, 'forbidden'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await w.changes()).toEqual([])
    expect((await ada.get('/api/auth/session')).body.user.id).toBe(ada.id)
  })
})

test('A request with a user’s cookies and without an Origin is refused', async () => {
  const body = '{"name":"Mine"}'
  for (const site of [[], ['Sec-Fetch-Site: same-origin'], ['Sec-Fetch-Site: none']]) {
    const head = [
      `PUT /api/collections/${w.collection.id} HTTP/1.1`,
      `Cookie: ${w.as('ada').cookieHeader()}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...site,
    ]
    expect((await sendRaw(w.origin, head, [body])).status).toBe(403)
  }
  expect(await w.changes()).toEqual([])
})

test('Plain text and forms from the app’s own origin are refused', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await w.as('ada').put(`/api/collections/${w.collection.id}`, '{"name":"Mine"}', { type })
    expect([answer.status, answer.body.error.code]).toEqual([415, 'unsupported_media'])
  }
  expect(await w.changes()).toEqual([])
})

test('An invalid bearer token is refused despite valid cookies', async () => {
  const headers = { origin: 'https://evil.example', authorization: 'Bearer x' }
  expect((await w.as('ada').put(`/api/collections/${w.collection.id}`, { name: 'Mine' }, { headers })).status).toBe(401)
  expect(await w.changes()).toEqual([])
})

test('Foreign links may read, and the app’s own origin may write', async () => {
  const ada = w.as('ada')
  expect((await ada.get('/api/collections', { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } })).status).toBe(
    200,
  )
  const own = { headers: { 'sec-fetch-site': 'same-origin' } }
  expect((await ada.put(`/api/collections/${w.collection.id}`, { icon: 'train' }, own)).status).toBe(200)
})
