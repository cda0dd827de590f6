import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { day, grid, test, until } from '../support/calendar-scene.ts'
import { axeViolations, DESKTOP, dropFiles, PHONE } from '../support/people.ts'
import { boxOf } from '../support/reach.ts'

/** The calendar shows items by day, and moves them. */

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const toast = (page: Page, text: string) => page.getByText(text).first()

test('The link in the rail opens this month, and an empty month says how to fill it', async ({ diary, page }) => {
  await page.goto(`/collections/media?c=${diary}`)
  await page.getByRole('link', { name: 'Calendar' }).click()
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'Europe/Vienna' }).format(new Date())
  await page.getByRole('heading', { name: month, level: 1 }).waitFor()
  await page.getByText('Nothing here yet. Photos appear on the day they were taken.').waitFor()
  await until(() => page.locator('[aria-current=date]').count()).toBe(1)
  expect(await axeViolations(page)).toEqual([])
})

test('A calendar whose present month is empty opens at the last month with items', async ({ diary, openPage, page, people, write }) => {
  await write({ title: 'Picnic', date: '2019-05-03T12:00:00Z', datePrecision: 'day' })
  await write({ title: 'Boat', date: '2021-08-20T12:00:00Z', datePrecision: 'day' })
  await page.goto(`/collections/calendar?c=${diary}`)
  await grid(page, 'August 2021').waitFor()
  await day(page, 'Friday 20 August 2021, 1 event').waitFor()
  await page.getByRole('button', { name: 'Today' }).click()
  await page.getByText('Nothing in this month.').waitFor()
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Vienna' }).format(new Date())
  await write({ title: 'Now', date: `${today}T12:00:00Z`, datePrecision: 'day' })
  // Rita's device has nothing of the diary, so that she opens it with what has just been written.
  const rita = (await openPage({ as: people.as('rita'), at: `/collections/calendar?c=${diary}` })).page
  await until(() => rita.locator('[aria-current=date]').count()).toBe(1)
})

test('A full day shows more items in a tall window and counts the hidden ones in a short window', async ({ address, page, write }) => {
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
    await write({ type: 'note', title, date: '2027-05-12T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2027-05'))
  const cell = day(page, 'Wednesday 12 May 2027, 6 notes')
  await cell.getByText('+4 more').waitFor()
  await page.setViewportSize({ ...DESKTOP, height: 1_400 })
  await cell.getByText('Six').waitFor()
  expect(await cell.getByText(/more$/).count()).toBe(0)
  const bottom = async (what: Locator) => (await boxOf(what)).y + (await boxOf(what)).height
  expect(await bottom(cell.getByText('Six'))).toBeLessThanOrEqual(await bottom(cell))
  await page.setViewportSize(DESKTOP)
  await cell.getByText('+4 more').waitFor()
})

test('Keys alone move from day to day and month to month, open a day and close it', async ({ address, page, write }) => {
  await write({ title: 'Picnic', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-05'))
  await grid(page, 'May 2024').waitFor()
  await day(page, 'Wednesday 1 May 2024').focus()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'))
  const presses: [key: string, to: string][] = [
    ['ArrowRight', '2024-05-02'],
    ['ArrowDown', '2024-05-09'],
    ['End', '2024-05-12'],
    ['Home', '2024-05-06'],
    ['ArrowUp', '2024-04-29'],
    ['PageDown', '2024-05-29'],
    ['PageUp', '2024-04-29'],
    ['Shift+PageUp', '2023-04-29'],
    ['Shift+PageDown', '2024-04-29'],
    ['ArrowDown', '2024-05-06'],
    ['ArrowLeft', '2024-05-05'],
    ['ArrowLeft', '2024-05-04'],
    ['ArrowLeft', '2024-05-03'],
  ]
  for (const [key, to] of presses) {
    await page.keyboard.press(key)
    await until(focused, key).toBe(to)
  }
  // Faster than the address follows.
  const on = () => new URL(page.url()).searchParams.get('on')
  for (const key of ['PageUp', 'Shift+PageUp', 'PageUp']) await page.keyboard.press(key)
  await until(on).toBe('2023-03')
  await until(focused).toBe('2023-03-03')
  for (const key of ['PageDown', 'PageDown', 'Shift+PageDown']) await page.keyboard.press(key)
  await until(on).toBe('2024-05')
  await until(focused).toBe('2024-05-03')
  await day(page, 'Friday 3 May 2024, 1 event').waitFor()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await until(focused).toBe('2024-05-03')
  await page.keyboard.press('t')
  const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Vienna' }).format(new Date())
  await until(async () => (await focused()) === today()).toBe(true)
})

test('Dragging an event to another day keeps its time and zone, and Undo restores the day', async ({ address, page, stored, write }) => {
  const post = await write({
    title: 'Concert',
    date: '2024-03-30T20:00:00+01:00',
    endsAt: '2024-03-30T22:30:00+01:00',
    dateZone: 'Europe/Vienna',
  })
  await page.goto(address('view=month&on=2024-03'))
  const bar = page.getByRole('button', { name: '20:00 Concert, event' })
  await drag(page, bar, day(page, 'Sunday 31 March 2024'))
  await toast(page, '“Concert” moved to Sunday, 31 March 2024').waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).first().hover()
  await day(page, 'Sunday 31 March 2024, 1 event').waitFor()
  // Clocks went forward in between.
  await until(async () => Date.parse((await stored(post)).date)).toBe(Date.parse('2024-03-31T20:00:00+02:00'))
  expect(await stored(post)).toMatchObject({ date_zone: 'Europe/Vienna', date_precision: 'minute' })
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await day(page, 'Saturday 30 March 2024, 1 event').waitFor()
  await until(async () => Date.parse((await stored(post)).date)).toBe(Date.parse('2024-03-30T20:00:00+01:00'))
})

test('An event of several days is one bar per week, moves as a whole and can be extended', async ({ address, page, stored, write }) => {
  const post = await write({ title: 'Trip', date: '2024-05-03T12:00:00Z', endsAt: '2024-05-07T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-05'))
  const bars = page.getByRole('button', { name: /^Trip, event until/ })
  await until(() => bars.count()).toBe(2)
  for (const label of ['Friday 3 May 2024, 1 event', 'Tuesday 7 May 2024, 1 event']) await day(page, label).waitFor()
  expect(await day(page, 'Wednesday 8 May 2024').count()).toBe(1)
  // Taken at its first day and let go a week and a day later.
  await drag(page, bars.first(), day(page, 'Saturday 11 May 2024'))
  await toast(page, '“Trip” moved to Saturday, 11 May 2024').waitFor()
  await until(async () => (await stored(post)).ends_at.slice(0, 10)).toBe('2024-05-15')

  const [box, target] = [await boxOf(bars.last()), await boxOf(day(page, 'Friday 17 May 2024'))]
  await page.mouse.move(box.x + box.width - 3, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(target.x + 20, target.y + 40, { steps: 5 })
  await page.mouse.up()
  await toast(page, '“Trip” lasts until Friday, 17 May 2024').waitFor()
  await until(async () => (await stored(post)).ends_at.slice(0, 10)).toBe('2024-05-17')

  await write({ title: 'Picnic', date: '2024-05-28T12:00:00Z', datePrecision: 'day' })
  await page.getByRole('button', { name: 'Picnic, Event', exact: true }).waitFor()
})

test('A note written in a day’s panel is dated that day', async ({ address, page, write }) => {
  await write({ title: 'Elsewhere', date: '2024-05-20T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-05'))
  await day(page, 'Thursday 16 May 2024').click()
  const panel = page.getByRole('complementary', { name: 'Thursday, 16 May 2024' })
  await panel.getByText('Nothing on this day yet.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await panel.getByRole('button', { name: 'New note' }).click()
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Swifts are back')
  expect(await dialog.getByLabel('Day', { exact: true }).inputValue()).toBe('2024-05-16')
  await dialog.getByRole('button', { name: 'Post', exact: true }).click()
  await panel.getByRole('article', { name: 'Swifts are back' }).waitFor()
  await day(page, 'Thursday 16 May 2024, 1 note').waitFor()
})

test('A note without a date waits in a tray and gets its day by keys or by mouse', async ({ address, page, stored, write }) => {
  const [first, second] = [await write({ title: 'Letter', type: 'note' }), await write({ title: 'Postcard', type: 'note' })]
  await write({ title: 'Sometime', date: '2024-05-01T12:00:00Z', datePrecision: 'month' })
  await page.goto(address('view=month&on=2024-05'))
  await page.getByRole('button', { name: 'Sometime in May 2024 1 item' }).waitFor()
  expect(await day(page, 'Wednesday 1 May 2024').count()).toBe(1)
  await page.getByRole('button', { name: '2 items have no date' }).click()
  const tray = page.getByRole('complementary', { name: 'Without a date' })
  await tray.getByRole('button', { name: 'More for Letter' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move to a day…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move to a day' })
  await dialog.getByLabel('Day').fill('2024-05-08')
  await page.keyboard.press('Enter')
  await day(page, 'Wednesday 8 May 2024, 1 note').waitFor()
  await until(async () => (await stored(first)).date_precision).toBe('day')

  await drag(page, tray.getByRole('heading', { name: 'Postcard' }), day(page, 'Thursday 9 May 2024'))
  await day(page, 'Thursday 9 May 2024, 1 note').waitFor()
  await until(async () => (await stored(second)).date?.slice(0, 10)).toBe('2024-05-09')
  await tray.getByText('Nothing left here.').waitFor()
})

test('Esc in a panel returns the focus to its opener, or to the focused day if that is no longer shown', async ({
  address,
  page,
  write,
}) => {
  await write({ title: 'Letter', type: 'note' })
  await write({ title: 'Sometime', date: '2024-05-01T12:00:00Z', datePrecision: 'month' })
  await page.goto(address('view=month&on=2024-05'))
  const panel = page.locator('main aside')
  for (const name of ['Sometime in May 2024 1 item', '1 item has no date']) {
    const opener = page.getByRole('button', { name })
    await opener.focus()
    await page.keyboard.press('Enter')
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  }
  await day(page, 'Wednesday 1 May 2024').click()
  await panel.waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await grid(page, 'June 2024').waitFor()
  await panel.getByRole('button', { name: 'Close' }).press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-day'))).toMatch(/^2024-06/)
})

test('A week shows hours, a year shows a heat map, and both lead back to the month', async ({ address, page, write }) => {
  await write({ title: 'Late train', date: '2024-05-03T23:30:00+09:00', endsAt: '2024-05-03T23:50:00+09:00', dateZone: 'Asia/Tokyo' })
  await write({ title: 'Also then', date: '2024-05-03T23:15:00+09:00', endsAt: '2024-05-03T23:45:00+09:00', dateZone: 'Asia/Tokyo' })
  await page.goto(address('view=month&on=2024-05'))
  await day(page, 'Friday 3 May 2024, 2 events').focus()
  await page.getByRole('radio', { name: 'Week' }).click()
  await page.getByRole('heading', { name: '29 Apr – 5 May 2024', level: 1 }).waitFor()
  const friday = page.getByRole('list', { name: 'Friday, 3 May 2024' })
  const [early, late] = [friday.getByRole('button', { name: /Also then/ }), friday.getByRole('button', { name: /Late train/ })]
  const [a, b] = [await boxOf(early), await boxOf(late)]
  expect(a.x + a.width).toBeLessThanOrEqual(b.x + 1)
  expect(await late.textContent()).toContain('23:30–23:50')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Next week' }).click()
  await page.getByRole('heading', { name: '6–12 May 2024', level: 1 }).waitFor()

  await page.getByRole('radio', { name: 'Year' }).click()
  await page.getByRole('heading', { name: '2024', level: 1 }).waitFor()
  await day(page, 'Friday 3 May 2024, 2 items').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'May 2024' }).click()
  await grid(page, 'May 2024').waitFor()
  await until(() => new URL(page.url()).searchParams.get('view')).toBe('month')
})

test('Every tap on Next month and Next week counts, however fast', async ({ address, page }) => {
  const next = (period: string) =>
    page.getByRole('button', { name: `Next ${period}` }).evaluate(async (button: HTMLButtonElement) => {
      for (let nth = 0; nth < 6; nth++) {
        button.click()
        await new Promise((resolve) => setTimeout(resolve))
      }
    })
  const on = () => new URL(page.url()).searchParams.get('on')
  await page.goto(address('view=month&on=2024-03'))
  await grid(page, 'March 2024').waitFor()
  await next('month')
  await until(on).toBe('2024-09')
  await page.goto(address('view=week&on=2024-03-06'))
  await page.getByRole('heading', { name: '4–10 Mar 2024', level: 1 }).waitFor()
  await next('week')
  await until(on).toBe('2024-04-17')
})

test('A screen reader hears the period after a step or Today, but not along with a day that gets the focus', async ({ address, page }) => {
  const heard = (period: string) => page.getByRole('status').getByText(period, { exact: true })
  await page.goto(address('view=month&on=2024-05'))
  await grid(page, 'May 2024').waitFor()
  expect(await heard('May 2024').count()).toBe(0)
  await page.getByRole('button', { name: 'Next month' }).click()
  await heard('June 2024').waitFor()
  await day(page, 'Sunday 30 June 2024').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'July 2024', level: 1 }).waitFor()
  expect(await heard('July 2024').count()).toBe(0)
  await page.getByRole('radio', { name: 'Year' }).click()
  await page.getByRole('button', { name: 'Previous year' }).click()
  await heard('2023').waitFor()
  await page.getByRole('button', { name: 'Today' }).click()
  await heard(String(new Date().getFullYear())).waitFor()
})

test('Photos of one day are a mosaic and move together', async ({ address, diary, page, people }) => {
  await page.goto(`/collections/media?c=${diary}`)
  await page.getByText('No photos yet').first().waitFor()
  await dropFiles(
    page,
    (await readdir(PICTURES)).slice(0, 3).map((name) => path.join(PICTURES, name)),
  )
  await page.getByText('3 photos added').first().waitFor({ timeout: 60_000 })
  const { body } = await people.as('ada').get(`/api/asset?collection_id=${diary}`)
  const ids = body.assets.map((asset: { id: string }) => asset.id)
  await people.as('ada').post('/api/asset/bulk.date', { ids, date: '2024-05-10T10:00:00+02:00', dateZone: 'Europe/Vienna' })
  await page.goto(address('view=month&on=2024-05'))
  const mosaic = day(page, 'Friday 10 May 2024, 3 photos').getByRole('button', { name: '3 photos' })
  await drag(page, mosaic, day(page, 'Monday 13 May 2024'))
  await day(page, 'Monday 13 May 2024, 3 photos').waitFor()
  await toast(page, '3 photos moved to Monday, 13 May 2024').waitFor()
  await day(page, 'Monday 13 May 2024, 3 photos').click()
  const panel = page.getByRole('complementary', { name: 'Monday, 13 May 2024' })
  await until(() => panel.getByRole('button', { name: /^Photo / }).count()).toBe(3)
})

test('A reader sees every day of a calendar and cannot move an event', async ({ address, openPage, people, write }) => {
  await write({ title: 'Fixed', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  const { page } = await openPage({ as: people.as('rita') })
  await page.goto(address('view=month&on=2024-05'))
  await drag(page, page.getByRole('button', { name: 'Fixed, Event' }), day(page, 'Monday 6 May 2024'))
  await day(page, 'Friday 3 May 2024, 1 event').click()
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await panel.getByRole('article', { name: 'Fixed' }).waitFor()
  // To look at it and to select it, but nothing that changes or adds.
  const names = (buttons: Element[]) => buttons.map((button) => button.ariaLabel ?? button.textContent)
  expect(await panel.getByRole('button').evaluateAll(names)).toEqual(['Close', 'Select Fixed', 'Fixed'])
})

test('A swipe on a phone changes the month, and a day opens as a sheet', async ({ address, openPage, people, write }) => {
  await write({ title: 'Boat', date: '2024-06-03T12:00:00Z', datePrecision: 'day' })
  const { page } = await openPage({ as: people.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true, locale: 'en-US' })
  await page.goto(address('view=month&on=2024-05'))
  await grid(page, 'May 2024').waitFor()
  // Weeks begin on Sunday in the United States.
  expect(await page.getByRole('columnheader').first().getAttribute('aria-label')).toBe('Sunday')
  await swipe(page, 320, 60)
  await grid(page, 'June 2024').waitFor()
  await day(page, 'Monday June 3, 2024, 1 event').tap()
  const sheet = page.getByRole('dialog', { name: 'Monday, June 3, 2024' })
  await sheet.getByRole('article', { name: 'Boat' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  // Fingers are heard again once it is.
  await grid(page, 'June 2024').waitFor()
  await swipe(page, 60, 320)
  await grid(page, 'May 2024').waitFor()
})

/** With the mouse, as a person does: what is grabbed near its beginning lands under the pointer. */
async function drag(page: Page, from: ReturnType<Page['getByRole']>, to: ReturnType<Page['getByRole']>): Promise<void> {
  const [a, b] = [await boxOf(from), await boxOf(to)]
  await page.mouse.move(a.x + Math.min(20, a.width / 2), a.y + a.height / 2)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 6 })
  await page.mouse.up()
}

async function swipe(page: Page, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: string, x?: number) =>
    session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: x === undefined ? [] : [{ x, y: 420 }] })
  await touch('touchStart', from)
  for (let step = 1; step <= 4; step++) await touch('touchMove', from + ((to - from) * step) / 4)
  await touch('touchEnd')
}
