import type { Page } from 'playwright-core'

/** Begins to do something, which brings the app; until it is there a link is one of the browser's. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  await page.mouse.move(4, 4)
  await page.waitForFunction(() => Object.keys(document.querySelector('#root > div') ?? {}).some((key) => key.startsWith('__react')))
}
