import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Chunks that the app loads when idle, which a busy machine seldom is. */
const AHEAD = ['edit-post-dialog', 'text-editor', 'toast', 'unsaved-dialogs', 'controls']

/** Chunks that this page has not loaded yet. */
const missing = (page: Page) =>
  page.evaluate((parts) => {
    const there = performance.getEntriesByType('resource').map(({ name }) => name)
    return parts.filter((part) => !there.some((name) => name.includes(`/assets/${part}-`)))
  }, AHEAD)

/** Waits until the page has loaded everything it can use offline. */
export async function fetchedAhead(page: Page): Promise<void> {
  await expect.poll(() => missing(page), { timeout: 30_000 }).toEqual([])
  await page.waitForLoadState('networkidle')
}
