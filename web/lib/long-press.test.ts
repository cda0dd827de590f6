import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { awaitLongPress } from './long-press.ts'

/** The window, which receives every event whatever is under the finger. */
let page: EventTarget
const longPressed = vi.fn()
const ended = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const put = () => awaitLongPress({ clientX: 8, clientY: 700 }, { onLongPress: longPressed, onEnded: ended })
const happens = (type: string, at = {}) => page.dispatchEvent(Object.assign(new Event(type), at))

test('A finger that keeps still triggers a long press, even if it trembles', () => {
  put()
  happens('pointermove', { clientX: 11, clientY: 695 })
  vi.advanceTimersByTime(500)
  happens('pointerup')
  expect([longPressed.mock.calls.length, ended.mock.calls.length]).toEqual([1, 0])
})

test.each([
  ['moves on', 'pointermove', { clientX: 8, clientY: 600 }],
  ['leaves', 'pointerup', {}],
  ['scrolls the page', 'pointercancel', {}],
])('A finger that %s triggers no long press, and ends once', (_, type, at) => {
  put()
  happens(type, at)
  happens('pointercancel')
  vi.advanceTimersByTime(500)
  expect([longPressed.mock.calls.length, ended.mock.calls.length]).toEqual([0, 1])
})

test('A cancelled long press calls nothing', () => {
  put()()
  happens('pointerup')
  vi.advanceTimersByTime(500)
  expect([longPressed.mock.calls.length, ended.mock.calls.length]).toEqual([0, 0])
})
