import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { decorate, grow } from '../support/many.ts'
import { VIEWS, type View } from './client-page.ts'
import { firstTimes, type Times, timesOf, use } from './client-use.ts'
import { costs, LONG, ms, post, progress, SETTLE, spread } from './client-words.ts'
import type { Figure } from './figures.ts'
import { longestTask } from './tasks.ts'

const addressOf = (view: View, collectionId: string) => `${VIEWS[view].path}?c=${collectionId}`

/** How often a view is opened from the device: a single time varies too much. */
const OPENINGS = 5

const PERSON = { email: 'client@example.org', password: 'correct horse battery' }

/** The cost of a large collection in the browser: half posts, half photos, opened from the network and from the device. */
export async function measureClient(stack: Stack, size: number): Promise<Figure[]> {
  // A profile on disk, as users have it.
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-client-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: await findChromium(console.log),
    args: CHROMIUM_ARGS,
    baseURL: stack.origin,
    viewport: { width: 1440, height: 900 },
  })
  const browser = context.browser()
  try {
    if (!browser) throw new Error('There is no browser to trace')
    const collectionId = await seed(stack, context, size)
    const figures: Figure[] = []
    const add = (what: string, value: string) => {
      figures.push({ what: `${size.toLocaleString('en')} items: ${what}`, value })
      progress(`${what}: ${value}`)
    }
    for (const view of ['timeline', 'media'] as const) {
      const opened = await open(context, view, collectionId)
      add(`${view}, first paint from the network`, ms(opened.first))
      if (view === 'media') add('complete from the network', ms(await complete(opened.page)))
      if (view === 'media') await stored(opened.page)
      await opened.page.close()
    }
    const using = { browser, context, collectionId }
    for (const view of ['timeline', 'media', 'calendar'] as const) {
      const firsts: number[] = []
      const wholes: number[] = []
      const used: Times = new Map()
      for (let time = 1; time <= OPENINGS; time++) {
        const { page, first } = await open(context, view, collectionId)
        firsts.push(first)
        if (view === 'media') {
          wholes.push(await complete(page))
          await firstTimes(page, using, used)
          if (time === OPENINGS) for (const [what, value] of await use(page, using)) add(what, value)
        }
        await page.close()
      }
      add(`${view}, drawn by the app from the device, median / slowest of ${OPENINGS}`, spread(firsts))
      if (view === 'media') add(`complete from the device, median / slowest of ${OPENINGS}`, spread(wholes))
      for (const [what, value] of timesOf(used)) add(`${what}, in ${OPENINGS} pages`, value)
    }
    add('opened from the list, from the device', ms(await openFromList(context, collectionId)))
    for (const view of ['timeline', 'media'] as const) {
      const page = await context.newPage()
      const painting = async () => {
        await page.goto(addressOf(view, collectionId), { waitUntil: 'commit' })
        await page.locator(VIEWS[view].first).first().waitFor({ timeout: LONG })
      }
      add(
        `${view}, main thread until the first paint from the device, of the processor`,
        ms((await longestTask(browser, page, painting)).total),
      )
      const reading = async () => {
        await page.goto(addressOf(view, collectionId))
        await page.locator(VIEWS[view].first).first().waitFor({ timeout: LONG })
        // Its count shows when everything is loaded; the timeline has none.
        await (view === 'media' ? complete(page) : page.waitForTimeout(SETTLE))
      }
      add(`${view}, longest task from the start to everything`, costs([await longestTask(browser, page, reading)]))
      await page.close()
    }
    return figures
  } finally {
    await context.close()
    await rm(folder, { recursive: true, maxRetries: 3 })
  }
}

async function seed(stack: Stack, context: BrowserContext, size: number): Promise<string> {
  const { user } = await post(context, '/api/auth/sign-up', PERSON)
  const { collection } = await post(context, '/api/collections', { name: 'Many years' })
  await grow(stack.sql, { collectionId: collection.id, userId: user.id, from: 0, to: size })
  await decorate(stack.sql, collection.id)
  return collection.id
}

/** From the click on the collection's card until its first photo is painted, in a page that has shown only the list. */
async function openFromList(context: BrowserContext, collectionId: string): Promise<number> {
  const page = await context.newPage()
  await page.goto('/collections')
  await page.locator(`main a[href*="${collectionId}"]`).waitFor({ timeout: LONG })
  await page.waitForTimeout(SETTLE)
  const took = await page.evaluate(
    async ({ id, first }) => {
      const begin = performance.now()
      document.querySelector<HTMLElement>(`main a[href*="${id}"]`)?.click()
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      while (!document.querySelector(first)) await frame()
      return performance.now() - begin
    },
    { id: collectionId, first: VIEWS.media.first },
  )
  await page.close()
  return took
}

/** Opens a view in a new page. `first` is the time from the start of the navigation until its first item was painted. */
async function open(context: BrowserContext, view: View, collectionId: string): Promise<{ page: Page } & Watched> {
  const page = await context.newPage()
  await page.addInitScript(watch, VIEWS[view].first)
  await page.goto(addressOf(view, collectionId), { waitUntil: 'commit' })
  await page.waitForFunction(() => watched().first > 0, undefined, { timeout: LONG })
  return { page, ...(await page.evaluate(() => watched())) }
}

/** Milliseconds from the navigation until the app has rendered the first item. */
interface Watched {
  first: number
}
declare const watched: () => Watched

/** Runs in the page before any other script. */
function watch(selector: string): void {
  const state: Watched = { first: 0 }
  Object.assign(globalThis, { watched: () => state })
  // In the frame after the one that rendered it.
  const look = () => {
    const rendered = document.querySelector(selector) !== null
    requestAnimationFrame(() => {
      if (rendered) state.first = performance.now()
      else look()
    })
  }
  look()
}

/** Milliseconds from the navigation until the count in the header is complete. */
async function complete(page: Page): Promise<number> {
  const done = () => {
    const text = document.body.textContent ?? ''
    return / photos/.test(text) && !/so far/.test(text) ? performance.now() : false
  }
  return (await page.waitForFunction(done, undefined, { timeout: LONG, polling: 100 })).jsonValue() as Promise<number>
}

/** Waits until the content is stored in IndexedDB. */
async function stored(page: Page): Promise<void> {
  const heads = async () => {
    const content = (await indexedDB.databases()).find(({ name }) => name?.startsWith('cairn-content-'))
    if (!content?.name) return 0
    const request = indexedDB.open(content.name)
    const db = await new Promise<IDBDatabase>((resolve) => (request.onsuccess = () => resolve(request.result)))
    const count = db.transaction('heads').objectStore('heads').count()
    const found = await new Promise<number>((resolve) => (count.onsuccess = () => resolve(count.result)))
    db.close()
    return found
  }
  for (const end = Date.now() + LONG; (await page.evaluate(heads)) === 0; ) {
    if (Date.now() > end) throw new Error('The device does not keep the content')
    await page.waitForTimeout(500)
  }
}
