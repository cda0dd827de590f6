import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Milliseconds without a call after which none is expected any more: longer than any delay of the app between a message and its call. */
const QUIET = 2_000

/** Counts a page's calls of the API from now on. */
export function countCalls(page: Page) {
  const made: string[] = []
  let last = performance.now()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    last = performance.now()
    made.push(`${request.method()} ${pathname}`)
  })
  return {
    /** Waits until the page makes no more calls. */
    settled: () => expect.poll(() => performance.now() - last, { timeout: 40_000 }).toBeGreaterThan(QUIET),
    /** All calls so far, in order. */
    made: () => [...made],
    /** How often each of these was called. */
    counts: (...calls: string[]) => Object.fromEntries(calls.map((call) => [call, made.filter((other) => other === call).length])),
    reset() {
      made.splice(0)
      last = performance.now()
    },
  }
}
