import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What the app fetches in quiet moments, of which a busy machine has few. */
const AHEAD = ['edit-post-dialog', 'text-editor', 'toast', 'unsaved-dialogs', 'controls']

/** Parts of the app that this page does not have yet. */
const missing = (page: Page) =>
  page.evaluate((parts) => {
    const there = performance.getEntriesByType('resource').map(({ name }) => name)
    return parts.filter((part) => !there.some((name) => name.includes(`/assets/${part}-`)))
  }, AHEAD)

/** Waits until the page can do without a connection what it can do with one. */
export async function fetchedAhead(page: Page): Promise<void> {
  await expect.poll(() => missing(page), { timeout: 30_000 }).toEqual([])
  await page.waitForLoadState('networkidle')
}
