import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { day, test as scene, until } from '../support/calendar-scene.ts'
import { axeViolations, PHONE } from '../support/people.ts'

/** Dates and times are written as their reader writes them: by the region of the browser, or by the person's own settings. */

const test = scene.extend('concert', async ({ write }) => {
  await write({
    title: 'Concert',
    date: '2024-05-03T13:04:00Z',
    endsAt: '2024-05-03T15:30:00Z',
    dateZone: 'Europe/Vienna',
    datePrecision: 'minute',
  })
})

const firstColumn = (page: Page) => page.getByRole('columnheader').first().getAttribute('aria-label')

const READERS = [
  {
    locale: 'en-US',
    cell: 'Friday May 3, 2024, 1 event',
    panel: 'Friday, May 3, 2024',
    week: 'Apr 28 – May 4, 2024',
    hours: ['12 AM', '1 PM'],
    time: '3:04 PM–5:30 PM',
    first: 'Sunday',
  },
  {
    locale: 'en-DE',
    cell: 'Friday 3 May 2024, 1 event',
    panel: 'Friday, 3 May 2024',
    week: '29 Apr – 5 May 2024',
    hours: ['00:00', '13:00'],
    time: '15:04–17:30',
    first: 'Monday',
  },
]

test.for(READERS)(
  'A browser of the language $locale has its order of dates, clock and first day of the week',
  async (reader, { address, concert: _, openPage, people }) => {
    const { page } = await openPage({ as: people.as('ada'), locale: reader.locale })
    await page.goto(address('view=month&on=2024-05'))
    await day(page, reader.cell).click()
    const panel = page.getByRole('complementary', { name: reader.panel })
    await panel.getByText(reader.time).waitFor()
    expect(await firstColumn(page)).toBe(reader.first)
    await page.goto(address('view=week&on=2024-05-03'))
    await page.getByRole('heading', { name: reader.week, level: 1 }).waitFor()
    for (const hour of reader.hours) await page.getByText(hour, { exact: true }).waitFor()
    await page.goto(address('').replace('calendar', 'timeline'))
    await page.getByRole('heading', { name: reader.panel }).waitFor()
    await page.getByText(reader.time).first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  },
)

test('A person’s own settings override the browser, at once and in their other browsers', async ({
  address,
  concert: _,
  openPage,
  people,
}) => {
  const { page } = await openPage({ as: people.as('ada'), locale: 'en-DE', at: '/profile/settings' })
  const dates = page.getByRole('region', { name: 'Dates and times', exact: true })
  await dates.getByText(/^It is now \w+day, \d+ \w+ \d{4}, \d\d:\d\d\.$/).waitFor()
  expect(await dates.getByLabel('Region').evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)).toBe(
    'Automatic (Germany)',
  )
  await dates.getByLabel('Region').selectOption('United States')
  await dates.getByText(/^It is now \w+day, \w+ \d+, \d{4}, \d+:\d\d [AP]M\.$/).waitFor()
  const devices = page.getByRole('list', { name: 'Devices' })
  await devices.getByText(/signed in \w+, \w+ \d+, \d{4}/).waitFor()
  await dates.getByLabel('First day of the week').selectOption('Saturday')
  await dates.getByLabel('Time zone').selectOption('America/New York')
  const chosen = { region: 'US', firstDay: 6, timeZone: 'America/New_York', hours: null }
  await until(async () => (await people.as('ada').get('/api/users/profile')).body).toMatchObject(chosen)
  expect(await axeViolations(page)).toEqual([])

  const other = await openPage({ as: people.as('ada'), locale: 'en-DE', viewport: PHONE })
  for (const own of [page, other.page]) {
    await own.goto(address('view=month&on=2024-05'))
    await day(own, 'Friday May 3, 2024, 1 event').waitFor()
    expect(await firstColumn(own)).toBe('Saturday')
  }
})
