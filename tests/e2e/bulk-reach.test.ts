import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { chooseFromMenu, finger, focusedName, middleOf, tabTo } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** Changing many at once, once with keys alone and once with a finger on a phone. */

const test = app
  .extend('kyoto', { scope: 'file' }, () => world())
  /** Two notes in a collection of their own, open in the timeline; another collection to put them into. */
  .extend('enter', ({ kyoto, openPage }) => async (family: string, options: BrowserContextOptions = {}) => {
    const ada = kyoto.as('ada')
    const make = async (name: string): Promise<string> => (await ada.post('/api/collections', { name })).body.collection.id
    const [id, other] = [await make('Winter'), await make(family)]
    for (const title of ['First snow', 'Second snow'])
      await ada.post('/api/post', { type: 'note', title, date: '2019-05-02T10:00:00Z', datePrecision: 'day', collectionIds: [id] })
    await ada.post(`/api/collections/${id}/people`, { name: 'Grandmother' })
    const person: Person = await openPage({ as: ada, at: `/collections/timeline?c=${id}`, reducedMotion: 'reduce', ...options })
    await person.page.getByRole('article', { name: 'First snow' }).waitFor()
    const posts = async (of = id) => (await ada.get(`/api/post?collection_id=${of}`)).body.posts as Row[]
    /** The value that both posts have; undefined if they differ. */
    const both = async <T>(read: (row: Row) => T): Promise<T | undefined> => {
      const [one, two] = (await posts()).map(read)
      return JSON.stringify(one) === JSON.stringify(two) ? one : undefined
    }
    return { ...person, other, posts, both }
  })

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })

interface Row {
  date: string
  people: string[]
  location: { name: string } | null
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected items' })
const selected = (page: Page, text: string) => bar(page).getByText(text, { exact: true }).waitFor()
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

test('Keys alone give selected items a date, location, people and collection, trash them and undo it', async ({ enter }) => {
  const { page, other, posts, both } = await enter('Family')
  await tabTo(page, /^First snow$|^Second snow$/)
  await page.keyboard.press('Control+a')
  await selected(page, '2 posts selected')
  await page.keyboard.press('b')
  await tabTo(page, /^Date$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Day').waitFor()
  await tabTo(page, /^Day$/)
  await page.keyboard.type('06062019')
  await tabTo(page, /^Apply$/)
  await page.keyboard.press('Enter')
  await gone(page)
  await until(() => both((row) => row.date.slice(0, 10))).toBe('2019-06-06')
  // The focus is where it was, and the next thing can be done.
  await until(() => focusedName(page)).toBe('Date')
  await page.keyboard.press('Control+z')
  await until(() => both((row) => row.date.slice(0, 10))).toBe('2019-05-02')

  await tabTo(page, /^Place$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Search for a place' }).waitFor()
  await tabTo(page, /^Search for a place$/)
  await page.keyboard.type('Vienna')
  await page
    .getByRole('option', { name: /^Vienna/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await tabTo(page, /^Apply$/)
  await page.keyboard.press('Enter')
  await gone(page)
  await until(() => both((row) => row.location?.name)).toMatch(/^Vienna/)

  await tabTo(page, /^Collections$/)
  await chooseFromMenu(page, /^Add to collections/)
  await page.getByRole('checkbox', { name: /^Family/ }).waitFor()
  await tabTo(page, /^Family/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Apply$/)
  await page.keyboard.press('Enter')
  await gone(page)
  await until(async () => (await posts(other)).length).toBe(2)
  await page.keyboard.press('Delete')
  await until(async () => (await posts()).length).toBe(0)
  await page.keyboard.press('Control+z')
  await until(async () => (await posts()).length).toBe(2)
  await page.keyboard.press('Control+z')
  await until(async () => (await posts(other)).length).toBe(0)
})

test('Clearing the selection from the bar leads back to the list', async ({ enter }) => {
  const { page } = await enter('Snow')
  for (const key of ['Enter', 'Escape']) {
    await page.getByRole('button', { name: 'First snow', exact: true }).focus()
    await page.keyboard.press('x')
    await selected(page, '1 post selected')
    const clear = bar(page).getByRole('button', { name: /^Clear selection/ })
    await clear.focus()
    await page.keyboard.press(key)
    await bar(page).waitFor({ state: 'detached' })
    await until(() => focusedName(page)).toMatch(/snow$/)
  }
})

test('A finger on a phone gives selected items a date, location, people and collection, trashes them and undoes it', async ({ enter }) => {
  const { page, other, posts, both } = await enter('Friends', { viewport: PHONE, hasTouch: true, isMobile: true })
  const touch = await finger(page)
  await touch.down(await middleOf(page.getByRole('article', { name: 'First snow' })))
  await selected(page, '1 post selected')
  await touch.up()
  await bar(page)
    .getByRole('button', { name: /^Select all/ })
    .tap()
  await selected(page, '2 posts selected')
  const dialog = page.getByRole('dialog')
  const apply = async () => {
    await dialog.getByRole('button', { name: 'Apply' }).tap()
    await gone(page)
  }
  await bar(page).getByRole('button', { name: 'Date' }).tap()
  await dialog.getByRole('radio', { name: 'Shift' }).tap()
  await dialog.getByRole('radio', { name: '− Earlier' }).tap()
  await dialog.getByLabel('Days').fill('1')
  expect(await axeViolations(page)).toEqual([])
  await apply()
  // A toast stays as long as it has the focus.
  await page.getByRole('button', { name: 'Undo' }).first().focus()
  await until(() => both((row) => row.date.slice(0, 10))).toBe('2019-05-01')
  await page.getByRole('button', { name: 'Undo' }).first().tap()
  await until(() => both((row) => row.date.slice(0, 10))).toBe('2019-05-02')

  await bar(page).getByRole('button', { name: 'Place' }).tap()
  await dialog.getByRole('combobox', { name: 'Search for a place' }).fill('Vienna')
  await page
    .getByRole('option', { name: /^Vienna/ })
    .first()
    .tap()
  await apply()
  await until(() => both((row) => row.location?.name)).toMatch(/^Vienna/)
  await bar(page).getByRole('button', { name: 'People' }).tap()
  await dialog.getByRole('checkbox', { name: /^Grandmother/ }).tap()
  await apply()
  await until(() => both((row) => row.people.length)).toBe(1)
  await bar(page).getByRole('button', { name: 'Collections' }).tap()
  await page.getByRole('menuitem', { name: 'Add to collections…' }).tap()
  await dialog.getByRole('checkbox', { name: /^Friends/ }).tap()
  await apply()
  await until(async () => (await posts(other)).length).toBe(2)
  await bar(page)
    .getByRole('button', { name: /^Clear selection/ })
    .tap()
  await bar(page).waitFor({ state: 'detached' })
})
