import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock } from './with-lock.ts'

/** Channels of tabs; those of a suspended tab get nothing. */
const channels = new Set<Channel>()
let opening = ''
class Channel {
  readonly tab = opening
  onmessage: ((event: { data: unknown }) => void) | null = null
  constructor() {
    channels.add(this)
  }
  postMessage(data: unknown) {
    if (!channels.has(this)) throw new Error('Channel is closed')
    for (const other of channels) if (other !== this && !suspended.has(other.tab)) queueMicrotask(() => other.onmessage?.({ data }))
  }
  close() {
    channels.delete(this)
  }
}
const suspended = new Set<string>()
const events: string[] = []
const ends: AbortController[] = []

function open(tab: string) {
  opening = tab
  const end = new AbortController()
  ends.push(end)
  const note = (what: string) => () => void events.push(`${tab} ${what}`)
  void holdLock('sends', end.signal, { granted: note('leads'), lost: note('follows') })
  return end
}

/** Enough for a tab to ask and to be answered. */
const later = () => vi.advanceTimersByTimeAsync(20_000)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('document', { visibilityState: 'visible' })
})
afterEach(async () => {
  for (const end of ends.splice(0)) end.abort()
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  suspended.clear()
  events.length = 0
})

test('The first tab leads as long as it answers, and the next one after it', async () => {
  const first = open('first')
  open('second')
  for (let n = 0; n < 10; n++) await later()
  expect(events).toEqual(['first leads'])
  first.abort()
  await later()
  expect(events).toEqual(['first leads', 'second leads'])
})

test('The tab in front of the user takes over from a suspended one, which follows when it goes on, and may lead again', async () => {
  open('first')
  const second = open('second')
  await later()
  suspended.add('first')
  while (events.length === 1) await vi.advanceTimersByTimeAsync(1_000)
  suspended.clear()
  await later()
  expect(events).toEqual(['first leads', 'second leads', 'first follows'])
  for (let n = 0; n < 10; n++) await later()
  expect(events).toHaveLength(3)
  second.abort()
  await later()
  expect(events.slice(3)).toEqual(['first leads'])
})

test('A tab that nobody looks at takes nothing over', async () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  open('first')
  open('second')
  suspended.add('first')
  for (let n = 0; n < 10; n++) await later()
  expect(events).toEqual(['first leads'])
})

test('A tab that is closed while it waits leads no more', async () => {
  const first = open('first')
  const second = open('second')
  await later()
  second.abort()
  first.abort()
  await later()
  expect(events).toEqual(['first leads'])
})

test('A tab that ends its holding before its first question asks nothing', async () => {
  const first = open('first')
  await vi.advanceTimersByTimeAsync(1_000)
  first.abort()
  for (let n = 0; n < 3; n++) await later()
  expect(events).toEqual(['first leads'])
})
