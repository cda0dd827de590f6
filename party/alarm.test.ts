import { expect, test } from 'vitest'
import { Alarm } from './alarm.ts'

/** Storage with delayed reads and writes, so that concurrent calls interleave. */
class SlowClock {
  set: number | null = null
  failures = 0
  getAlarm = async () => {
    const { set } = this
    await new Promise((resolve) => setTimeout(resolve, 2))
    return set
  }
  setAlarm = async (time: number | Date) => {
    if (this.failures-- > 0) throw new Error('The disk fails')
    await new Promise((resolve) => setTimeout(resolve, 2))
    this.set = Number(time)
  }
}

test.each([[[10, 20]], [[20, 10]], [[30, 10, 20]]])('Alarm is set to the earliest of the concurrent times %j', async (times) => {
  const clock = new SlowClock()
  const alarm = new Alarm(clock)
  await Promise.all(times.map((time) => alarm.wakeAt(time)))
  expect(clock.set).toBe(10)
})

test('Alarm sets the next time after a failed one', async () => {
  const clock = new SlowClock()
  clock.failures = 1
  const alarm = new Alarm(clock)
  const [first, second] = await Promise.allSettled([alarm.wakeAt(10), alarm.wakeAt(20)])
  expect([first?.status, second?.status, clock.set]).toEqual(['rejected', 'fulfilled', 20])
})

test.each([10.001, 10.5, 10.999, 11])('Alarm for %d ms never comes before', async (time) => {
  const clock = new SlowClock()
  await new Alarm(clock).wakeAt(time)
  expect(clock.set).toBe(11)
})
