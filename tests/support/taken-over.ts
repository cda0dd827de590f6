import type { Page } from 'playwright-core'

/** Loads the app by a first interaction; until then a link is handled by the browser. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  await page.mouse.move(4, 4)
  await page.waitForFunction(() => Object.keys(document.querySelector('#root > div') ?? {}).some((key) => key.startsWith('__react')))
}
