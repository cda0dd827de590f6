import type { BrowserContextOptions } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { focusedName, middleOf, tabTo } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

/** All that the timeline does, once with keys alone and once with a finger on a phone. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write' })
    // Enough of each year that there is a way to go.
    const days = ['06-14', '06-13', '05-20', '05-10', '03-03', '02-02']
    for (const day of [2012, 2010].flatMap((year) => days.map((day) => `${year}-${day}`)))
      await write(kyoto, `Walk of ${day}`, `${day}T09:00:00Z`)
    await write(kyoto, 'Long ago', yearsAgo(8))
    await write(kyoto, 'Today, earlier', yearsAgo(4))
    return kyoto
  })
  .extend('enter', ({ kyoto, openPage }) => async (options: BrowserContextOptions = {}): Promise<Person> => {
    const person = await openPage({
      as: kyoto.as('ada'),
      at: `/collections/timeline?c=${kyoto.collection.id}`,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...options,
    })
    await person.page.getByRole('article', { name: 'Today, earlier' }).first().waitFor()
    return person
  })

/** Multiples of four, for the sake of the 29th of February. */
function yearsAgo(years: 4 | 8): string {
  const day = new Date()
  day.setUTCFullYear(day.getUTCFullYear() - years)
  return day.toISOString()
}

const write = (kyoto: World, title: string, date: string, as = 'ada') =>
  kyoto.as(as).post('/api/post', {
    type: 'note',
    title,
    body: '<p>Out and back</p>'.repeat(6),
    date,
    dateZone: 'UTC',
    datePrecision: 'minute',
    collectionIds: [kyoto.collection.id],
  })

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })

test('Keys alone zoom the timeline, move through months and gaps, and open this day of other years and new posts', async ({
  enter,
  kyoto,
}) => {
  const { page } = await enter()
  const article = (name: string) => page.getByRole('article', { name, exact: true })
  const zoomed = () => new URL(page.url()).searchParams.get('zoom')
  await tabTo(page, /^8 years ago/)
  await page.keyboard.press('Enter')
  await article('Long ago').first().waitFor()
  await page
    .getByText(/^4 years later$/)
    .first()
    .waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-row] :focus').first().waitFor()

  await page.evaluate(() => scrollTo(0, 0))
  await tabTo(page, /^Go to month$/)
  await page.keyboard.press('End')
  await article('Walk of 2010-02-02').waitFor()
  // Somebody else writes above; it waits until it is asked for.
  const top = () =>
    article('Walk of 2010-02-02')
      .boundingBox()
      .then((box) => box?.y)
  await middleOf(article('Walk of 2010-02-02'))
  const before = await top()
  await write(kyoto, 'News of the day', new Date().toISOString(), 'bob')
  const pill = page.getByRole('button', { name: '1 new' })
  await pill.waitFor({ timeout: 45_000 })
  expect(Math.abs(((await top()) ?? 0) - (before ?? 0))).toBeLessThanOrEqual(1)
  await pill.focus()
  await page.keyboard.press('Enter')
  await article('News of the day').waitFor()

  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(page, /^Day$/)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await until(zoomed).toBe('year')
  await tabTo(page, /^2010$/)
  await page.keyboard.press('Enter')
  await until(zoomed).toBe('month')
  // The focus goes to the newest month of the year.
  await until(() => focusedName(page)).toBe('June 2010')
  await tabTo(page, /^March 2010$/)
  await page.keyboard.press('Enter')
  await until(zoomed).toBeNull()
  await article('Walk of 2010-03-03').waitFor()
  await tabTo(page, /^Walk of 2010-03-03$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Walk of 2010-03-03' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await page.getByRole('dialog', { name: 'Walk of 2010-03-03' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await article('Walk of 2010-03-03').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Jump to anything' }).waitFor()
  await page.keyboard.type('import')
  await page.getByRole('option', { name: 'Import', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /^Import/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(() => focusedName(page)).not.toBe('Import')
})

test('A finger on a phone zooms the timeline and opens this day of other years', async ({ enter }) => {
  const { page } = await enter({ viewport: PHONE, hasTouch: true, isMobile: true })
  const article = (name: string) => page.getByRole('article', { name, exact: true })
  await page.getByRole('button', { name: /^8 years ago/ }).tap()
  await article('Long ago').first().waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Zoom: Day' }).tap()
  await page.getByRole('menuitemradio', { name: 'Year' }).tap()
  expect(await axeViolations(page)).toEqual([])
  await article('2012').getByRole('button', { name: '2012' }).tap()
  await article('May 2012').getByRole('button', { name: 'May 2012' }).tap()
  await article('Walk of 2012-05-20').waitFor()
  await page.getByRole('button', { name: 'Walk of 2012-05-20', exact: true }).tap()
  const reader = page.getByRole('dialog', { name: 'Walk of 2012-05-20' })
  expect(await reader.getByRole('status').allTextContents()).not.toContain('Walk of 2012-05-20')
  await reader.getByRole('button', { name: 'Next post' }).tap()
  // Screen readers do not say the dialog's new name.
  await page.getByRole('dialog', { name: 'Walk of 2012-05-10' }).getByRole('status').getByText('Walk of 2012-05-10').waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})
