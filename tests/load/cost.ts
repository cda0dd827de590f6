import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenNamed } from '../../dev/processes.ts'
import type { Stack } from '../../dev/stack.ts'
import type { Figure } from './figures.ts'

const CALLS = 60
/** Milliseconds. Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const TICK = 10

/**
 * The mean cost of one call: processor time of workerd, and statements in how many round trips to the database. Includes work after the
 * answer, such as publishing changes.
 */
export async function costOf(stack: Stack, what: string, call: () => Promise<unknown>): Promise<Figure> {
  for (let n = 0; n < 5; n++) await call()
  await settled(stack)
  const [time, { requests, statements }] = [await workerTime(), { ...stack.neon.served }]
  for (let n = 0; n < CALLS; n++) await call()
  await settled(stack)
  const spent = ((await workerTime()) - time) / CALLS
  const sent = (stack.neon.served.statements - statements) / CALLS
  const trips = (stack.neon.served.requests - requests) / CALLS
  const cpu = Number.isNaN(spent) ? 'not known here' : `${spent.toFixed(1)} ms`
  return { what: `${what}: workerd, statements / round trips`, value: `${cpu}, ${sent.toFixed(1)} / ${trips.toFixed(1)}` }
}

/** Waits until nothing has been asked of the database for a while, so that work after answers is over. */
async function settled({ neon }: Stack): Promise<void> {
  for (let before = -1; neon.served.requests !== before; ) {
    before = neon.served.requests
    await sleep(200)
  }
}

/** Milliseconds of user and system time of the worker's runtime so far. */
async function workerTime(): Promise<number> {
  let ticks = 0
  for (const pid of await childrenNamed('workerd')) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    ticks += (user ?? Number.NaN) + (system ?? Number.NaN)
  }
  return ticks * TICK
}
