import { beforeEach, expect, test, vi } from 'vitest'
import { forgetSnapshots, keepSnapshot, type Snapshot } from './snapshot.ts'

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('location', { origin: 'https://cairn.example' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

const sight = (html: string): Snapshot => ({ user: 'ada', build: '1', css: [], fonts: [], width: 390, top: 0, html, scrolled: [] })
const pictures = () => [...kept.keys()].filter((key) => key.startsWith('snapshot:')).map((key) => key.slice('snapshot:'.length))

test('of a page that is shown in several ways only the last is kept', () => {
  keepSnapshot('/collections/calendar?c=kyoto&month=2024-05', sight('May'))
  keepSnapshot('/collections/calendar?c=oslo', sight('Oslo'))
  keepSnapshot('/collections/calendar?c=kyoto&month=2024-06', sight('June'))
  expect(pictures()).toEqual(['/collections/calendar?c=oslo', '/collections/calendar?c=kyoto&month=2024-06'])
})

test('only so many pages have a picture, and the one seen longest ago goes', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) keepSnapshot(`/collections/media?c=${name}`, sight(name))
  expect(pictures()).toEqual(['b', 'c', 'd', 'e', 'f', 'g'].map((name) => `/collections/media?c=${name}`))
})

test('nothing is left when it is forgotten', () => {
  keepSnapshot('/feed?', sight('news'))
  kept.set('appearance', 'dark')
  forgetSnapshots()
  expect([...kept.keys()]).toEqual(['appearance'])
})
