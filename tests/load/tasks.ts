import type { Browser, Page } from 'playwright-core'

/** Milliseconds. A longer task delays a frame visibly. */
export const LONG_TASK = 50

/** Milliseconds by the clock, and of processor time: on a busy machine only the second shows the cost of the task itself. */
export interface Cost {
  wall: number
  cpu: number
  /** The longest task by processor time, without garbage collection. */
  own: number
  /** Processor time of all tasks. */
  total: number
  /** Number of tasks over LONG_TASK of processor time. */
  over: number
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  dur?: number
  tdur?: number
  args: { name?: string }
}

/** The longest tasks of the page's main thread while `work` runs, each by its own measure. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<Cost> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'toplevel', '__metadata'] })
  let trace: Buffer
  try {
    await work()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf))
  const collecting = traceEvents.filter(({ name, ph }) => ph === 'X' && (name === 'MinorGC' || name === 'MajorGC'))
  const costs = new Map<string, Cost>()
  for (const event of traceEvents) {
    if (event.ph !== 'X' || event.name !== 'RunTask' || !mains.has(threadOf(event))) continue
    const before = costs.get(threadOf(event)) ?? NOTHING
    const [lasted, took] = [(event.dur ?? 0) / 1000, (event.tdur ?? 0) / 1000]
    const garbage = collecting.filter((other) => threadOf(other) === threadOf(event) && isWithin(other, event))
    costs.set(threadOf(event), {
      wall: Math.max(before.wall, lasted),
      cpu: Math.max(before.cpu, took),
      own: Math.max(before.own, took - garbage.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000),
      total: before.total + took,
      over: before.over + (took > LONG_TASK ? 1 : 0),
    })
  }
  // The browser has its own pages too; the busiest is the one measured.
  return [...costs.values()].toSorted((one, other) => other.total - one.total)[0] ?? NOTHING
}

const isWithin = (inner: TraceEvent, outer: TraceEvent) =>
  inner.ts >= outer.ts && inner.ts + (inner.dur ?? 0) <= outer.ts + (outer.dur ?? 0)

const NOTHING: Cost = { wall: 0, cpu: 0, own: 0, total: 0, over: 0 }

const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
