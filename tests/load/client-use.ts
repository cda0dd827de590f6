import type { Browser, BrowserContext, Page } from 'playwright-core'
import { heap, MONTHS_BACK, scroll, timeFilter, timeMonthsBack, timeSwitch, type View, wheel } from './client-page.ts'
import { costs, LONG, post, progress, SETTLE, spread } from './client-words.ts'
import { answerImages } from './images.ts'
import { type Cost, longestTask } from './tasks.ts'

export interface Using {
  browser: Browser
  context: BrowserContext
  collectionId: string
}

/** How often each action is repeated. */
const AGAIN = 5

/** In an order in which each view follows another one. */
const OTHERS = ['timeline', 'media', 'calendar', 'map', 'settings', 'feed', 'media'] as const

/** Filters used in each view. Media has one kind of item; the person is tagged in some. */
const FILTERS = { timeline: ['Posts', 'Photos'], media: ['Grandma'], calendar: ['Posts', 'Photos'] } as const

/** Times by action: of tasks, or milliseconds from a click to its frame. */
export type Times = Map<string, { tasks: Cost[]; frames: number[] }>

export function timesOf(all: Times): [string, string][] {
  return [...all].flatMap(([what, { tasks, frames }]): [string, string][] => [
    ...(tasks.length > 0 ? [[`longest task while ${what}`, costs(tasks)] as [string, string]] : []),
    ...(frames.length > 0 ? [[`from the click to the frame, ${what}`, spread(frames)] as [string, string]] : []),
  ])
}

function keep(all: Times, what: string, { task, frame }: { task?: Cost; frame?: number }): void {
  const times = all.get(what) ?? { tasks: [], frames: [] }
  progress(what)
  all.set(what, times)
  if (task) times.tasks.push(task)
  if (frame !== undefined) times.frames.push(frame)
}

/** A new map goes on rendering for more than a second without a GPU. */
const rest = (page: Page) => page.waitForTimeout(SETTLE)

/** Actions done for the first time in a page, whose code has never run and is not compiled yet. The page shows media, completely loaded. */
export async function firstTimes(page: Page, { browser, context }: Using, all: Times): Promise<void> {
  const stopAnswering = await answerImages(context, page)
  const scrolling = async (view: View) => {
    keep(all, `scrolling through ${view}, first`, { task: await longestTask(browser, page, () => scroll(page)) })
    await rest(page)
    keep(all, `a wheel turns by forty screens of ${view}, first`, { task: await longestTask(browser, page, () => wheel(page)) })
  }
  await rest(page)
  await scrolling('media')
  await rest(page)
  keep(all, 'to timeline, first', { frame: await timeSwitch(page, 'timeline') })
  await rest(page)
  await scrolling('timeline')
  for (const view of ['media', 'calendar', 'map', 'settings', 'feed'] as const) {
    await rest(page)
    keep(all, `to ${view}, ${view === 'media' ? 'again' : 'first'}`, { frame: await timeSwitch(page, view) })
  }
  await filter(page, { browser, all, time: 'first' })
  await stopAnswering()
}

/** Turns filters on and off in each view that has some. */
async function filter(page: Page, { browser, all, time }: { browser: Browser; all: Times; time: string }): Promise<void> {
  for (const [view, choices] of Object.entries(FILTERS)) {
    await timeSwitch(page, view as View)
    await rest(page)
    await page.getByRole('button', { name: /^Filters/ }).click()
    // On, and off again.
    for (const what of choices.flatMap((choice) => [choice, choice])) {
      let frame = 0
      const task = await longestTask(browser, page, async () => {
        frame = await timeFilter(page, what)
      })
      keep(all, `turning a filter on or off in ${view}, ${time}`, { task, frame })
    }
    await page.keyboard.press('Escape')
    const found = await longestTask(browser, page, () => searched(page))
    keep(all, `searching for a word in ${view} and clearing it, ${time}`, { task: found })
  }
}

/** Types a word from the names of some posts and photos letter by letter, and deletes it. */
async function searched(page: Page): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'Search this collection' })
  await field.pressSequentially('12')
  await page.waitForURL(/[?&]q=12/)
  await field.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('q'))
}

/** Repeated actions in a completely loaded collection. */
export async function use(page: Page, { browser, context, collectionId }: Using): Promise<[string, string][]> {
  const all: Times = new Map()
  const figures: [string, string][] = []
  const cdp = await context.newCDPSession(page)
  const stopAnswering = await answerImages(context, page)
  await timeSwitch(page, 'media')
  for (let time = 0; time < AGAIN; time++) {
    for (const view of OTHERS) {
      await rest(page)
      keep(all, `to ${view}, again`, { frame: await timeSwitch(page, view) })
      if (view !== 'timeline' && view !== 'media') continue
      await rest(page)
      keep(all, `scrolling through ${view}, again`, { task: await longestTask(browser, page, () => scroll(page)) })
      await rest(page)
      keep(all, `a wheel turns by forty screens of ${view}, again`, { task: await longestTask(browser, page, () => wheel(page)) })
    }
    await filter(page, { browser, all, time: 'again' })
    await timeSwitch(page, 'media')
  }
  for (const view of OTHERS) {
    await rest(page)
    keep(all, `switching to ${view}, again`, { task: await longestTask(browser, page, () => timeSwitch(page, view)) })
  }
  await timeSwitch(page, 'calendar')
  await rest(page)
  figures.push(...timesOf(all), [`another month, median / slowest of ${MONTHS_BACK}`, spread(await timeMonthsBack(page))])
  await timeSwitch(page, 'media')
  figures.push(['heap with everything, all views used', await heap(cdp)])
  const { assets } = await (await context.request.get(`/api/asset?collection_id=${collectionId}&limit=1000`)).json()
  const ids: string[] = assets.map(({ id }: { id: string }) => id)
  for (const count of [1, 1_000]) {
    const name = `${count.toLocaleString('en')} ${count === 1 ? 'change arrives' : 'changes arrive'}`
    const work = () => change(page, { context, ids: ids.slice(0, count) })
    figures.push([`longest task while ${name}`, costs([await longestTask(browser, page, work)])])
  }
  await stopAnswering()
  return figures
}

/** Moves photos, and waits for the page's request for changes. */
async function change(page: Page, { context, ids }: { context: BrowserContext; ids: string[] }): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('since=') && response.url().includes('/api/asset'), {
    timeout: LONG,
  })
  const date = new Date(Date.UTC(2027, 0, 1)).toISOString()
  await post(context, '/api/asset/bulk.date', { ids, date })
  await page.evaluate(() => void dispatchEvent(new Event('focus')))
  await (await answered).finished()
  await page.waitForTimeout(SETTLE)
}
