import { afterEach, expect, test, vi } from 'vitest'
import { provokeCollecting } from './garbage.ts'
import { whenQuiet } from './idle.ts'

vi.mock('./idle.ts')

afterEach(() => vi.unstubAllGlobals())

test('takes and leaves memory in one quiet moment after the other, and stops where there is none', () => {
  const moments: (() => void)[] = []
  vi.mocked(whenQuiet).mockImplementation((run) => void moments.push(run))
  provokeCollecting()
  expect(moments).toEqual([])

  vi.stubGlobal('requestIdleCallback', () => {})
  let [taken, room] = [0, true]
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
  const live = () => {
    for (let moment = moments.shift(); moment; moment = moments.shift()) moment()
  }
  provokeCollecting()
  live()
  expect(taken).toBe(6 * 32 * 2 ** 20)
  room = false
  provokeCollecting()
  live()
  expect(taken).toBe(6 * 32 * 2 ** 20)
})
