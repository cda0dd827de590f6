import type { Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'

/** Keyboard and touch interactions that take more than one call of Playwright. */

/** Milliseconds for which to go on pressing Tab: the target may still have to load. */
const TAB_TIMEOUT = 45_000

/** Presses Tab until the focus is on an element of this name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (const end = Date.now() + TAB_TIMEOUT; Date.now() < end; ) {
    const here = await focusedName(page)
    if (name.test(here)) return
    passed.push(here.slice(0, 40))
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keys do not lead to ${name}, but to ${passed.slice(-120).join(' | ')}`)
}

/** Presses Tab until the focus is on or within the element. */
export async function tabOnto(thing: Locator): Promise<void> {
  const page = thing.page()
  for (const end = Date.now() + TAB_TIMEOUT; Date.now() < end; ) {
    if (await thing.evaluate((element) => element.contains(document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keys do not lead to ${thing}`)
}

/** Opens the menu of the focused button and chooses an item. */
export async function chooseFromMenu(page: Page, name: RegExp): Promise<void> {
  await page.keyboard.press('Enter')
  await page.locator('[role^=menuitem]:focus').waitFor()
  for (;;) {
    const here = await focusedName(page)
    if (name.test(here)) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    // A menu moves the focus a moment after the key.
    await vi.waitFor(async () => expect(await focusedName(page), `${name} is not in the menu`).not.toBe(here), 5_000)
  }
}

/** Name of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement
    const { labels } = (active ?? {}) as Partial<HTMLInputElement>
    return (active?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? active?.textContent ?? '').trim()
  })
}

export interface Point {
  x: number
  y: number
}

/** One finger of a touch screen. Its events are real touch events, so that the browser scrolls and detects long presses. */
export async function finger(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  let at: Point = { x: 0, y: 0 }
  const down = (point: Point) => {
    at = point
    return send('touchStart', point)
  }
  const move = async (to: Point, steps = 5) => {
    const from = at
    for (let step = 1; step <= steps; step++) {
      at = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps }
      await send('touchMove', at)
    }
  }
  const up = () => send('touchEnd')
  const swipe = async (from: Point, to: Point) => {
    await down(from)
    await move(to)
    await up()
  }
  /** Two fingers that move apart, up and down from here, as they enlarge a page. */
  const spread = async ({ x, y }: Point) => {
    const both = (apart: number) => [-apart, apart].map((away) => ({ x, y: y + away }))
    await send('touchStart', ...both(20))
    for (let apart = 30; apart <= 100; apart += 10) await send('touchMove', ...both(apart))
    await up()
  }
  return { down, move, up, swipe, spread }
}

/** Position of an element, once it is on the screen and no longer moves. */
export async function boxOf(thing: Locator) {
  await thing.waitFor()
  // An element whose animation has not started also looks still.
  await thing.evaluate((element) =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.contains(element))
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.then(() => undefined)),
    ),
  )
  let last = await thing.boundingBox()
  for (let attempt = 0; attempt < 100; attempt++) {
    await thing.page().evaluate(() => new Promise(requestAnimationFrame))
    const box = await thing.boundingBox()
    if (box && last && box.x === last.x && box.y === last.y) return box
    last = box
  }
  throw new Error('It does not come to rest')
}

export async function middleOf(thing: Locator): Promise<Point> {
  const { x, y, width, height } = await boxOf(thing)
  return { x: x + width / 2, y: y + height / 2 }
}
