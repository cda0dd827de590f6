import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenQuiet } from '../idle.ts'
import { pictureGone } from './garbage.ts'

vi.mock('../idle.ts')

const moments: (() => void)[] = []
let taken = 0
let room = true

beforeEach(() => {
  vi.useFakeTimers()
  vi.mocked(whenQuiet).mockImplementation((run) => void moments.push(run))
  vi.stubGlobal('requestIdleCallback', () => {})
  vi.stubGlobal(
    'ArrayBuffer',
    class {
      byteLength: number
      constructor(size: number) {
        if (!room) throw new RangeError('Array buffer allocation failed')
        taken += size
        this.byteLength = size
      }
    },
  )
  taken = 0
  room = true
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const leave = (count: number) => Array.from({ length: count }, pictureGone)
const live = () => {
  for (let moment = moments.shift(); moment; moment = moments.shift()) moment()
}
const ALL = 6 * 32 * 2 ** 20

test('memory is taken and left in quiet moments, once many pictures have gone and no more of them go', () => {
  leave(199)
  vi.advanceTimersByTime(5_000)
  expect(moments).toEqual([])

  leave(1)
  for (let more = 0; more < 4; more++) {
    vi.advanceTimersByTime(900)
    leave(50)
  }
  expect(moments).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(moments).toHaveLength(1)
  live()
  expect(taken).toBe(ALL)

  vi.advanceTimersByTime(5_000)
  leave(100)
  vi.advanceTimersByTime(5_000)
  live()
  expect(taken).toBe(ALL)
  leave(100)
  vi.advanceTimersByTime(5_000)
  live()
  expect(taken).toBe(2 * ALL)
})

test('it stops where there is no room', () => {
  room = false
  leave(200)
  vi.advanceTimersByTime(5_000)
  live()
  expect(taken).toBe(0)
})

test('a browser without quiet moments is left alone', () => {
  vi.stubGlobal('requestIdleCallback', undefined)
  leave(1_000)
  vi.advanceTimersByTime(5_000)
  expect(moments).toEqual([])
})
