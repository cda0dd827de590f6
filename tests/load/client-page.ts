import type { CDPSession, Page } from 'playwright-core'

// Actions that run in the page itself, timed there from frame to frame.

/** Each view's first item, or its heading if it may have no items. */
export const VIEWS = {
  media: { path: '/collections/media', link: 'Media', first: '[data-index][aria-label^="Photo "]' },
  timeline: { path: '/collections/timeline', link: 'Timeline', first: '[data-row] article, [data-row] button' },
  calendar: { path: '/collections/calendar', link: 'Calendar', first: '[role=gridcell]' },
  map: { path: '/collections/map', link: 'Map', first: 'h1' },
  settings: { path: '/collections/settings', link: 'Settings', first: 'h1' },
  feed: { path: '/feed', link: 'Feed', first: 'h1' },
} as const
export type View = keyof typeof VIEWS

export async function heap(cdp: CDPSession): Promise<string> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return `${Math.round(usedSize / 2 ** 20)} MB`
}

/** Like a wheel turned fast: forty screens in steps of one frame, which overlap. */
export async function wheel(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let step = 0; step < 300; step++) {
      scrollBy(0, 120)
      await frame()
    }
    scrollTo(0, 0)
    await frame()
  })
}

/** Scrolls from top to bottom in steps of one frame. */
export async function scroll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const height = document.documentElement.scrollHeight
    for (let step = 0; step <= 300; step++) {
      scrollTo(0, (height * step) / 300)
      await frame()
    }
    scrollTo(0, 0)
    await frame()
  })
}

/** From the click until the other view's first item is painted. */
export async function timeSwitch(page: Page, view: View): Promise<number> {
  return page.evaluate(
    async ({ link, first, path }) => {
      const found = [...document.querySelectorAll('nav a, aside a')].find((a) => a.textContent?.startsWith(link))
      const begin = performance.now()
      if (!(found instanceof HTMLElement)) throw new Error(`There is no link to ${link}`)
      found.click()
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const there = () =>
        location.pathname === path &&
        document.querySelector(first) &&
        (first !== 'h1' || document.querySelector(first)?.textContent === link)
      while (!there()) {
        await frame()
        if (performance.now() - begin > 60_000) throw new Error(`${link} does not come`)
      }
      return performance.now() - begin
    },
    { ...VIEWS[view] },
  )
}

/** From the click on a filter until the filtered items are painted. */
export async function timeFilter(page: Page, choice: string): Promise<number> {
  return page.evaluate(async (name) => {
    const found = [...document.querySelectorAll('button[aria-pressed]')].find((button) => button.textContent?.includes(name))
    if (!(found instanceof HTMLElement)) throw new Error(`There is no choice called ${name}`)
    const begin = performance.now()
    const before = found.ariaPressed
    found.click()
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    while (found.ariaPressed === before) {
      await frame()
      if (performance.now() - begin > 60_000) throw new Error(`${name} cannot be chosen`)
    }
    await frame()
    return performance.now() - begin
  }, choice)
}

/** How many months to go back. */
export const MONTHS_BACK = 24

/** Milliseconds that a user looks at a month, at least. */
const LOOK = 1_500

/** From each click until the previous month is painted. */
export async function timeMonthsBack(page: Page): Promise<number[]> {
  return page.evaluate(
    async ([count, look]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const title = () => document.querySelector('h1')?.textContent
      const back = [...document.querySelectorAll('button')].find((button) => button.textContent?.trim() === 'Previous month')
      const took: number[] = []
      for (let turn = 0; turn < count; turn++) {
        const [begin, before] = [performance.now(), title()]
        back?.click()
        while (title() === before) await frame()
        // In the frame after the one that rendered it.
        await frame()
        took.push(performance.now() - begin)
        await new Promise((resolve) => setTimeout(resolve, look))
      }
      return took
    },
    [MONTHS_BACK, LOOK] as const,
  )
}
