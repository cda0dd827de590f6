import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chosen, heap, scroll, switched, TURNS, turned, type View } from './client-page.ts'
import { cost, LONG, ms, post, SETTLE } from './client-words.ts'
import { answerPictures } from './pictures.ts'
import { longestTask } from './tasks.ts'

interface Using {
  browser: Browser
  context: BrowserContext
  collectionId: string
}

/** In an order in which each comes after another one. */
const OTHERS = ['timeline', 'media', 'calendar', 'map', 'settings', 'feed', 'media'] as const

/** The first time its code has never run and is not compiled yet. */
const TIMES = ['first time', 'again'] as const

/** What is done in a collection that is there as a whole. */
export async function use(page: Page, { browser, context, collectionId }: Using): Promise<[string, string][]> {
  const figures: [string, string][] = []
  const cdp = await context.newCDPSession(page)
  const longest = async (what: string, work: () => Promise<unknown>) =>
    void figures.push([`longest task while ${what}`, cost(await longestTask(browser, page, work))])
  // A map that has just come goes on drawing for more than a second where there is no GPU.
  const rest = () => page.waitForTimeout(SETTLE)
  const to = async (view: View, suffix: string) => {
    await rest()
    figures.push([`to ${view}, ${suffix}`, ms(await switched(page, view))])
  }
  const stopAnswering = await answerPictures(context, page)
  figures.push(['heap with everything, media', await heap(cdp)])
  for (const time of TIMES) await longest(`scrolling through media, ${time}`, () => scroll(page))
  await to('timeline', 'first time')
  for (const time of TIMES) await longest(`scrolling through the timeline, ${time}`, () => scroll(page))
  for (const view of ['media', 'calendar', 'map', 'settings', 'feed'] as const) await to(view, 'first time')
  await switched(page, 'media')
  for (const view of OTHERS) await to(view, 'again')
  for (const view of OTHERS) {
    await rest()
    await longest(`switching to ${view}, third time`, () => switched(page, view))
  }
  await switched(page, 'calendar')
  await rest()
  const turns = (await turned(page)).toSorted((a, b) => a - b)
  figures.push(
    [`another month, median of ${TURNS}`, ms(turns[TURNS / 2] ?? 0)],
    [`another month, slowest of ${TURNS}`, ms(turns.at(-1) ?? 0)],
  )
  for (const time of TIMES) {
    for (const view of ['timeline', 'media', 'calendar'] as const) {
      await switched(page, view)
      await rest()
      await page.getByRole('button', { name: /^Filters/ }).click()
      // Media has one kind of thing, of which one person is in some.
      for (const what of view === 'media' ? ['Grandma'] : ['Posts', 'Photos'])
        for (const turn of ['on', 'off']) await longest(`turning the filter ${what} ${turn} in ${view}, ${time}`, () => chosen(page, what))
      await page.keyboard.press('Escape')
    }
  }
  await switched(page, 'media')
  figures.push(['heap with everything, all views used', await heap(cdp)])
  const { assets } = await (await context.request.get(`/api/asset?collection_id=${collectionId}&limit=1000`)).json()
  const ids: string[] = assets.map(({ id }: { id: string }) => id)
  for (const count of [1, 1_000]) {
    const name = `${count.toLocaleString('en')} ${count === 1 ? 'change arrives' : 'changes arrive'}`
    await longest(name, () => change(page, { context, ids: ids.slice(0, count) }))
  }
  await stopAnswering()
  return figures
}

/** Moves photos; that they have arrived is told by the page having asked what changed. */
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
