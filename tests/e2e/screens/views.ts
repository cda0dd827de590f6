import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { empty, failing, full, grid, heading, many, photo, pin, type Screen, selectAll, timeline } from './stage.ts'

/** The four sights of a collection: full, empty, failing, narrowed, and as somebody who may only read. */
export const VIEWS: readonly Screen[] = [
  { name: 'map', who: 'ada', drawsMap: true, path: full('map'), open: pin },
  {
    name: 'map-panel',
    who: 'ada',
    drawsMap: true,
    path: full('map'),
    open: async (page) => {
      await pin(page)
      await page.locator('[data-pin=cluster]').first().click()
      await page.getByRole('list', { name: 'Items here' }).waitFor()
    },
  },
  {
    name: 'map-placing',
    who: 'ada',
    drawsMap: true,
    path: full('map'),
    open: async (page) => {
      await pin(page)
      await page.getByRole('button', { name: /no place/ }).click()
      await page.getByRole('list', { name: 'Without a place' }).getByRole('button').first().click()
      await page.getByRole('button', { name: 'Place on map' }).click()
      await page.getByRole('application').waitFor()
    },
  },
  {
    name: 'map-empty',
    who: 'owner of nothing',
    drawsMap: true,
    path: empty('map'),
    open: (page) => page.getByText('No items have a place yet').waitFor(),
  },
  { name: 'map-failed', who: 'ada', drawsMap: true, path: full('map'), open: failing('**/api/asset?*') },
  { name: 'map-reader', who: 'cy', drawsMap: true, path: full('map'), open: pin },
  { name: 'media', who: 'ada', path: full('media'), open: (page) => photo(page).waitFor() },
  {
    name: 'media-selected',
    who: 'ada',
    path: full('media'),
    open: async (page) => {
      await photo(page).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Space')
      await page.getByRole('toolbar').getByText(/2/).first().waitFor()
    },
  },
  { name: 'timeline-selected', who: 'ada', path: full('timeline'), open: selectAll },
  {
    name: 'media-empty',
    who: 'owner of nothing',
    path: empty('media'),
    open: (page) => page.getByText(/^No photos yet/).waitFor(),
  },
  { name: 'media-failed', who: 'ada', path: full('media'), open: failing('**/api/asset?*') },
  { name: 'media-reader', who: 'cy', path: full('media'), open: (page) => photo(page).waitFor() },
  { name: 'calendar', who: 'ada', path: `${full('calendar')}&view=month&on=2026-05`, open: grid },
  {
    name: 'calendar-day',
    who: 'ada',
    path: `${full('calendar')}&view=month&on=2026-05&day=2026-05-01`,
    open: (page) => page.getByRole('article', { name: 'A weekend in the hills' }).waitFor(),
  },
  {
    name: 'calendar-undated',
    who: 'ada',
    path: `${full('calendar')}&view=month&on=2026-05&day=none`,
    open: (page) => page.getByRole('article', { name: 'What to pack' }).waitFor(),
  },
  { name: 'calendar-week', who: 'ada', path: `${full('calendar')}&view=week&on=2026-05-01`, open: grid },
  { name: 'calendar-year', who: 'ada', path: `${full('calendar')}&view=year&on=2026`, open: grid },
  {
    name: 'calendar-empty',
    who: 'owner of nothing',
    path: empty('calendar'),
    open: (page) => page.getByText('Nothing here yet.').waitFor(),
  },
  { name: 'calendar-failed', who: 'ada', path: full('calendar'), open: failing('**/api/post?*') },
  { name: 'timeline', who: 'ada', path: full('timeline'), open: timeline },
  {
    name: 'timeline-on-this-day',
    who: 'ada',
    path: full('timeline'),
    open: (page) => page.getByRole('heading', { name: 'On this day' }).waitFor(),
  },
  {
    name: 'timeline-month',
    who: 'ada',
    path: `${full('timeline')}&zoom=month`,
    open: (page) => page.getByRole('article').first().waitFor(),
  },
  {
    name: 'timeline-year',
    who: 'ada',
    path: `${full('timeline')}&zoom=year`,
    open: (page) => page.getByRole('article').first().waitFor(),
  },
  {
    name: 'timeline-zoom',
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      const menu = page.getByRole('button', { name: /^Zoom:/ })
      await timeline(page)
      if (await menu.isVisible()) await menu.click()
      else await page.getByRole('radio', { name: 'Day' }).focus()
    },
  },
  {
    name: 'timeline-arrivals',
    who: 'owner of many',
    path: many('timeline'),
    open: async (page, stage) => {
      await timeline(page)
      await page.evaluate(() => scrollTo(0, 2_000))
      const date = new Date().toISOString()
      await stage.many.as('bob').post('/api/post', { type: 'note', title: 'Home again', date, collectionIds: [stage.many.collection.id] })
      await page.getByRole('button', { name: /^\d+ new$/ }).waitFor({ timeout: 45_000 })
    },
  },
  { name: 'media-scrubber', who: 'owner of many', path: many('media'), open: scrub },
  { name: 'timeline-empty', who: 'owner of nothing', path: empty('timeline'), open: heading(/./) },
  { name: 'timeline-failed', who: 'ada', path: full('timeline'), open: failing('**/api/post?*') },
  {
    name: 'filtered',
    who: 'ada',
    path: `${full('timeline')}&post=event`,
    open: (page) => page.getByRole('list', { name: 'Active filters' }).waitFor(),
  },
  ...['timeline', 'media', 'calendar', 'map'].map(
    (view): Screen => ({
      name: `${view}-filtered-to-nothing`,
      who: 'ada',
      drawsMap: view === 'map',
      path: `${full(view)}&q=nowhere`,
      open: heading(/^No items match/),
    }),
  ),
]

/** Through the months: by the track where there is one, by the handle of small screens, which stays as long as it is held. */
async function scrub(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Photo / })
    .first()
    .waitFor()
  const track = page.getByRole('slider', { name: 'Go to month' })
  if (await track.isVisible()) {
    await track.press('PageDown')
    return track.hover()
  }
  // The handle goes when nothing has moved for a while, so whoever misses it scrolls and tries again.
  await vi.waitFor(async () => {
    await page.mouse.up()
    await page.evaluate(() => scrollBy(0, 600))
    const { x, y, width } = (await page.locator('[data-scrub-handle]').boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + width - 10, y + 22)
    await page.mouse.down()
    await page.mouse.move(x + width - 10, y + 222)
    await page.locator('[data-scrub-bubble]').waitFor({ timeout: 2_000 })
  }, 20_000)
}
