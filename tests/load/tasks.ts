import type { Browser, Page } from 'playwright-core'

/** A task longer than this holds up a frame that somebody waits for, in milliseconds. */
export const LONG_TASK = 50

/** Milliseconds by the clock, and of the processor: on a busy machine only the second says what the task itself costs. */
export interface Cost {
  wall: number
  cpu: number
  /** Of all tasks together, of the processor. */
  total: number
  /** Tasks over LONG_TASK, of the processor. */
  over: number
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  dur?: number
  tdur?: number
  args: { name?: string }
}

/** The longest tasks of the page's main thread while something is done, each by its own measure. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<Cost> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'] })
  let trace: Buffer
  try {
    await work()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf))
  const costs = new Map<string, Cost>()
  for (const event of traceEvents) {
    if (event.ph !== 'X' || event.name !== 'RunTask' || !mains.has(threadOf(event))) continue
    const { wall, cpu, total, over } = costs.get(threadOf(event)) ?? NOTHING
    const [lasted, took] = [(event.dur ?? 0) / 1000, (event.tdur ?? 0) / 1000]
    costs.set(threadOf(event), {
      wall: Math.max(wall, lasted),
      cpu: Math.max(cpu, took),
      total: total + took,
      over: over + (took > LONG_TASK ? 1 : 0),
    })
  }
  // The browser has pages of its own.
  return [...costs.values()].toSorted((one, other) => other.total - one.total)[0] ?? NOTHING
}

const NOTHING: Cost = { wall: 0, cpu: 0, total: 0, over: 0 }

const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
