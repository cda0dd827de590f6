import type { Page } from 'playwright-core'
import type { NewLink } from '../../../contract/links.ts'
import { makeLink } from '../../support/guests.ts'
import type { World } from '../../support/world.ts'
import { failing, photo, type Screen, type Stage, timeline } from './stage.ts'

type Which = (stage: Stage) => World
const full: Which = (stage) => stage.full
const empty: Which = (stage) => stage.empty

const guest = { who: 'guest', path: '/how-it-works' } as const

/** The page of a new link. */
const page =
  (which: Which, there: (page: Page) => Promise<unknown>, link: Partial<NewLink> = {}): NonNullable<Screen['open']> =>
  async (page, stage) => {
    const { as, collection } = which(stage)
    const { url } = await makeLink(as('ada'), collection.id, {
      name: 'For grandma',
      allows: 'add',
      download: true,
      location: 'exact',
      ...link,
    })
    await page.goto(url)
    await there(page)
  }

/** A view of the app, to which the page of a new link leads. */
const view = (which: Which, name: string, there: (page: Page) => Promise<unknown>) =>
  page(which, async (page) => {
    await page.getByRole('link', { name, exact: true }).click()
    await there(page)
  })

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'For grandma' }).waitFor()

/** What guests of a link see: its own page and the views of the app. */
export const GUESTS: readonly Screen[] = [
  { ...guest, name: 'link-page', open: page(full, heading) },
  { ...guest, name: 'link-page-empty', open: page(empty, heading, { allows: 'look' }) },
  {
    ...guest,
    name: 'link-page-password',
    open: page(full, (page) => page.getByLabel('Password').waitFor(), { password: 'three white swans' }),
  },
  {
    ...guest,
    name: 'link-page-post',
    open: page(full, async (page) => {
      await page
        .getByRole('article')
        .getByRole('link', { name: /comment/ })
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: 'A weekend in the hills' }).waitFor()
    }),
  },
  { ...guest, name: 'link-page-none', path: `/s/${'A'.repeat(22)}`, open: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
  { ...guest, name: 'guest-media', open: view(full, 'Media', (page) => photo(page).waitFor()) },
  { ...guest, name: 'guest-media-empty', open: view(empty, 'Media', (page) => page.getByText('No photos yet').waitFor()) },
  { ...guest, name: 'guest-media-failed', open: view(full, 'Media', failing('**/api/asset?*')) },
  { ...guest, name: 'guest-timeline', open: view(full, 'Timeline', timeline) },
  {
    ...guest,
    name: 'guest-lightbox',
    open: view(full, 'Media', async (page) => {
      await photo(page).click()
      await page.getByRole('button', { name: /^Comments/ }).click()
      await page.getByRole('textbox', { name: /comment/i }).waitFor()
    }),
  },
]
