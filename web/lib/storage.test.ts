import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readSelectedId, writeSelectedId } from './storage.ts'

const ID = '0197f6a2-0000-7000-8000-000000000001'
const TEXT = JSON.stringify({ lastSelectedId: ID })

let local: Map<string, string>
let written: string[]

beforeEach(() => {
  local = new Map()
  written = []
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => local.set(key, value),
    removeItem: (key: string) => local.delete(key),
  })
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('document', {
    get cookie() {
      return written.map((cookie) => cookie.split('; ')[0]).join('; ')
    },
    set cookie(cookie: string) {
      written.push(cookie)
    },
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('Selecting a collection stores only its id, in localStorage and for a year in the cookie collection-preference', () => {
  writeSelectedId(ID)
  expect([...local]).toEqual([['collection', TEXT]])
  expect(written).toEqual([`collection-preference=${encodeURIComponent(TEXT)}; Path=/; Max-Age=31536000; SameSite=Lax; Secure`])
  expect(readSelectedId()).toBe(ID)
})

test('Closing the collection removes the key and the cookie', () => {
  writeSelectedId(ID)
  written.length = 0
  writeSelectedId(null)
  expect([...local]).toEqual([])
  expect(written).toEqual([expect.stringMatching(/^collection-preference=.*; Max-Age=0;/)])
  expect(readSelectedId()).toBeNull()
})

test('The cookie alone gives the collection that was open last', () => {
  writeSelectedId(ID)
  local.clear()
  expect(readSelectedId()).toBe(ID)
})

test('A key with any other value opens no collection', () => {
  for (const text of ['', 'null', '{"lastSelectedId":"kyoto"}', '{']) {
    local.set('collection', text)
    expect(readSelectedId()).toBeNull()
  }
})
