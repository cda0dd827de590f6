import type { BrowserContext, Page } from 'playwright-core'

/** Answers nothing to the one call that the app begins with, so that it makes each of the calls that this stands for. */
export const withoutBootstrap = (page: Page | BrowserContext): Promise<unknown> =>
  page.route('**/api/bootstrap*', (route) => route.fulfill({ json: null }))
