import type { Page } from 'playwright-core'
import { errorPage } from '../../../worker/http/error-page.ts'
import { zipOf } from '../../support/archives.ts'
import { withoutBootstrap } from '../../support/without-bootstrap.ts'
import { empty, failing, full, grid, heading, photo, pin, type Screen, type Stage, timeline } from './stage.ts'

const FOREIGN = '01990000-0000-7000-8000-000000000000'
/** A page that needs neither the app nor what it keeps. */
const WRITTEN = '/how-it-works'
/** As worker/http/errors.ts words what is nobody's fault but ours. */
const INTERNAL = 'Something went wrong on our side. Try again, and tell us if it keeps happening'
const CONTENT = /\/api\/(asset|post)\?/

/** This device has nothing any more of what it was shown. */
const forget = (page: Page) =>
  page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })

/** A page whose answers never come, on a device that has nothing of it yet. */
const waiting =
  (address: (stage: Stage) => string, pattern: string | RegExp, words: string): NonNullable<Screen['open']> =>
  async (page, stage) => {
    await forget(page)
    await withoutBootstrap(page)
    await page.route(pattern, () => {})
    await page.goto(address(stage), { waitUntil: 'commit' })
    await page.getByRole('status', { name: words }).waitFor()
  }

const first = (view: string, words: string) => waiting(({ full }) => `/collections/${view}?c=${full.collection.id}`, CONTENT, words)

const offline = (there: (page: Page) => Promise<void>) => async (page: Page) => {
  await there(page)
  await page.context().setOffline(true)
  await page.getByRole('status').filter({ hasText: 'Offline', visible: true }).waitFor()
}

/** On the way, without a connection, not allowed: what the tables of the views do not have. */
export const STATES: readonly Screen[] = [
  {
    name: 'collections-loading',
    who: 'bob',
    path: WRITTEN,
    open: waiting(() => '/collections', '**/api/collections', 'Loading collections'),
  },
  { name: 'feed-loading', who: 'bob', path: WRITTEN, open: waiting(() => '/feed', '**/api/feed*', 'Loading the feed') },
  { name: 'map-loading', who: 'bob', drawsMap: true, path: WRITTEN, open: first('map', 'Loading the map') },
  { name: 'media-loading', who: 'bob', path: WRITTEN, open: first('media', 'Loading photos') },
  { name: 'timeline-loading', who: 'bob', path: WRITTEN, open: first('timeline', 'Loading the timeline') },
  { name: 'calendar-loading', who: 'bob', path: WRITTEN, open: first('calendar', 'Loading the calendar') },
  {
    name: 'settings-loading',
    who: 'bob',
    path: WRITTEN,
    open: waiting(({ full }) => `/collections/settings?c=${full.collection.id}`, '**/members', 'Loading members'),
  },
  {
    name: 'settings-failed',
    who: 'owner of nothing',
    path: empty('settings'),
    open: async (page) => {
      await failing('**/members')(page)
      await page.getByRole('button', { name: 'Try again' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'forbidden', who: 'newcomer', path: `/collections/media?c=${FOREIGN}`, open: heading('Collection not found') },
  ...(
    [
      ['map', pin],
      ['media', (page) => photo(page).waitFor()],
      ['calendar', grid],
      ['timeline', timeline],
      ['settings', (page) => page.getByRole('switch', { name: 'Notify me when others add items or comment' }).waitFor()],
    ] satisfies [string, (page: Page) => Promise<void>][]
  ).map(
    ([view, there]): Screen => ({ name: `${view}-offline`, who: 'ada', drawsMap: view === 'map', path: full(view), open: offline(there) }),
  ),
  { name: 'collections-offline', who: 'ada', path: '/collections', open: offline(heading('Collections')) },
  { name: 'feed-offline', who: 'ada', path: '/feed', open: offline(heading('Feed')) },
  {
    name: 'collections-failed',
    who: 'bob',
    path: WRITTEN,
    open: async (page) => {
      await forget(page)
      await failing('**/api/collections', '/collections')(page)
    },
  },
  { name: 'server-refuses', who: 'nobody', path: '/api/nothing', open: heading('Page Not Found') },
  {
    name: 'server-fails',
    keepsEnglish: true,
    who: 'nobody',
    path: WRITTEN,
    open: async (page) => {
      const failure = { status: 500, message: INTERNAL, requestId: '9a1f0c2d4e5b6a78-VIE' }
      const body = String(await errorPage(failure))
      await page.route('**/api/nothing', (route) => route.fulfill({ status: 500, contentType: 'text/html; charset=utf-8', body }))
      await page.goto('/api/nothing')
    },
  },
  {
    name: 'import-found',
    opensAnew: true,
    who: 'ada',
    path: full('timeline'),
    open: async (page) => {
      await page.getByRole('button', { name: 'New', exact: true }).first().click()
      await page.getByRole('menuitem', { name: 'Import…' }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('dialog', { name: 'Import' }).getByRole('button', { name: 'Choose files', exact: true }).click()
      const entries = ['First frost', 'The hut was open', 'Home again'].map((text, nth) => ({
        uuid: `A${nth}`,
        creationDate: `2025-11-0${nth + 1}T08:00:00Z`,
        text,
      }))
      const buffer = Buffer.from(zipOf({ 'Autumn.json': { metadata: { version: '1.0' }, entries } }))
      await (await chooser).setFiles({ name: 'Autumn.zip', mimeType: 'application/zip', buffer })
      await page.getByRole('list', { name: 'Found' }).waitFor()
    },
  },
  {
    name: 'settings-notices',
    who: 'ada',
    path: full('settings'),
    // And below it the ways out: calendar link, export and import.
    open: async (page) => {
      const section = page.getByRole('heading', { name: 'Notifications' })
      await section.waitFor()
      await page.getByRole('switch', { name: 'Notify me when others add items or comment' }).waitFor()
      await section.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 80))
    },
  },
]
