import { expect, test, vi } from 'vitest'
import { keepRunning } from './keep-running.ts'

const PAUSES = [1, 2, 3, 4, 5]

function keep(start: () => Promise<unknown>) {
  const said: string[] = []
  const gaveUp: string[] = []
  const keeper = keepRunning({ part: 'database', start, pauses: PAUSES, log: (line) => said.push(line), giveUp: (why) => gaveUp.push(why) })
  return { keeper, said, gaveUp }
}

test('A part that ended by itself is started again', async () => {
  const start = vi.fn(async () => {})
  const { keeper, said, gaveUp } = keep(start)
  keeper.ended('SIGKILL')
  await expect
    .poll(() => said)
    .toEqual(['The database ended by itself (SIGKILL). It is started again in 0.001 s.', 'The database runs again.'])
  expect(start).toHaveBeenCalledTimes(1)
  expect(gaveUp).toEqual([])
})

test('A part that does not start is tried five times with growing pauses, then the reason is given', async () => {
  const start = vi.fn(() => Promise.reject(new Error('the disk is full')))
  const { keeper, said, gaveUp } = keep(start)
  keeper.ended('exit code 1')
  await expect.poll(() => gaveUp).toEqual(['the database ended by itself and was started again 5 times in a row (the disk is full)'])
  expect(start).toHaveBeenCalledTimes(5)
  expect(said.map((line) => /in (\S+) s/.exec(line)?.[1])).toEqual(['0.001', '0.002', '0.003', '0.004', '0.005'])
})

test('A part that starts and ends at once counts as ending in a row', async () => {
  const { keeper, gaveUp } = keep(async () => keeper.ended('again'))
  keeper.ended('first')
  await expect.poll(() => gaveUp).toEqual([expect.stringContaining('5 times in a row (again)')])
})

test('A part that ran for more than a minute is counted anew', async () => {
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now')
  try {
    const { keeper, said, gaveUp } = keep(async () => {})
    for (let ends = 1; ends <= 7; ends++) {
      clock.mockReturnValue(now + ends * 61_000)
      keeper.ended('SIGKILL')
      await expect.poll(() => said).toHaveLength(2 * ends)
    }
    expect(gaveUp).toEqual([])
    expect(said.filter((line) => line.includes('in 0.001 s'))).toHaveLength(7)
  } finally {
    clock.mockRestore()
  }
})

test('Nothing is started after the stop', async () => {
  const start = vi.fn(async () => {})
  const { keeper } = keep(start)
  keeper.ended('SIGKILL')
  await keeper.stop()
  keeper.ended('SIGKILL')
  await keeper.stop()
  expect(start).not.toHaveBeenCalled()
})
