import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app, until } from '../support/calendar-scene.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { boxOf, finger, focusedName, middleOf, tabTo } from '../support/reach.ts'

/** Moving among the hours of a week: by the mouse, by keys alone, and with a finger. */

const test = app
  /** A collection with this in it, in the week of 25 to 31 March 2024, on whose Sunday the clocks of Vienna went forward. */
  .extend('weekWith', ({ address, write }) => async (page: Page, fields: object = CONCERT): Promise<string> => {
    const id = await write(fields)
    await page.goto(address('view=week&on=2024-03-28'))
    await hours(page, 'Thursday, 28 March 2024').getByRole('button').first().waitFor()
    return id
  })
  /** When it begins and ends, and in which zone. */
  .extend('when', ({ stored }) => async (id: string): Promise<[begin: number, end: number, zone: string]> => {
    const post = await stored(id)
    return [Date.parse(post.date), Date.parse(post.ends_at), post.date_zone]
  })

const hours = (page: Page, label: string) => page.getByRole('list', { name: label, exact: true })
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
/** Where what is carried would stand: it is drawn for the eyes alone. */
const ghost = (page: Page) => page.locator('[data-ghost]')

const CONCERT = { title: 'Concert', date: '2024-03-28T10:00:00+01:00', endsAt: '2024-03-28T11:30:00+01:00', dateZone: 'Europe/Vienna' }

const times = (begin: string, end: string) => [Date.parse(begin), Date.parse(end), 'Europe/Vienna']

/** Takes hold of it and pulls it by so many hours to another column, without letting go. */
async function pull(page: Page, block: Locator, by: number, column: Locator): Promise<void> {
  const [from, to] = [await boxOf(block), await boxOf(column)]
  const y = from.y + Math.min(10, from.height / 2)
  await page.mouse.move(from.x + from.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, y + (by * to.height) / 24, { steps: 8 })
}

test('Dragging an event among the hours previews and changes its day and time, and Undo restores them', async ({
  page,
  weekWith,
  when,
}) => {
  const id = await weekWith(page)
  const [thursday, sunday] = [hours(page, 'Thursday, 28 March 2024'), hours(page, 'Sunday, 31 March 2024')]
  // Not quite an hour and three quarters: it snaps.
  await pull(page, thursday.getByRole('button', { name: /^Concert/ }), 1.7, sunday)
  await until(() => sunday.locator(ghost(page)).textContent()).toBe('11:45–13:15Concert')
  await page.mouse.up()
  await toast(page, '“Concert” moved to Sunday, 31 March 2024, 11:45').waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).first().hover()
  await sunday.getByRole('button', { name: 'Concert 11:45–13:15' }).waitFor()
  await until(() => ghost(page).count()).toBe(0)
  // Clocks went forward that night: the time of day counts, and it lasts as long.
  await until(() => when(id)).toEqual(times('2024-03-31T11:45:00+02:00', '2024-03-31T13:15:00+02:00'))
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await thursday.getByRole('button', { name: 'Concert 10:00–11:30' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-28T10:00:00+01:00', '2024-03-28T11:30:00+01:00'))

  await pull(page, thursday.getByRole('button', { name: /^Concert/ }), -2, thursday)
  await page.mouse.up()
  await thursday.getByRole('button', { name: 'Concert 08:00–09:30' }).waitFor()
  await page.keyboard.press('Control+z')
  await thursday.getByRole('button', { name: 'Concert 10:00–11:30' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-28T10:00:00+01:00', '2024-03-28T11:30:00+01:00'))
})

test('Esc cancels a drag, a drop at the origin changes nothing, and a click moves nothing', async ({ page, stored, weekWith }) => {
  const id = await weekWith(page)
  const thursday = hours(page, 'Thursday, 28 March 2024')
  const block = thursday.getByRole('button', { name: 'Concert 10:00–11:30' })
  const before = await stored(id)
  await pull(page, block, 1, hours(page, 'Friday, 29 March 2024'))
  await ghost(page).waitFor()
  await page.keyboard.press('Escape')
  await until(() => ghost(page).count()).toBe(0)
  await page.mouse.up()

  await pull(page, block, 1, thursday)
  await until(() => ghost(page).textContent()).toBe('11:00–12:30Concert')
  const { x, y, width } = await boxOf(block)
  await page.mouse.move(x + width / 2 + 10, y + 12)
  await until(() => ghost(page).textContent()).toBe('10:00–11:30Concert')
  await page.mouse.up()
  await until(() => ghost(page).count()).toBe(0)
  expect(await page.getByRole('complementary', { name: /28 March/ }).count()).toBe(0)
  expect(await page.getByText(/moved to/).count()).toBe(0)
  await block.click()
  await page.getByRole('complementary', { name: 'Thursday, 28 March 2024' }).waitFor()
  expect(await stored(id)).toEqual(before)
})

test('Dragging scrolls to hidden hours, and over the days changes the day alone', async ({ page, weekWith, when }) => {
  const id = await weekWith(page)
  const thursday = hours(page, 'Thursday, 28 March 2024')
  const scroller = page.getByRole('region', { name: 'Hours', exact: true })
  await pull(page, thursday.getByRole('button', { name: /^Concert/ }), 0.5, thursday)
  const { x, y, width, height } = await boxOf(scroller)
  await page.mouse.move(x + width / 2, y + height - 2)
  // To the end of the day, and no further.
  await until(() => ghost(page).textContent()).toBe('22:30–00:00Concert')
  await page.mouse.up()
  await thursday.getByRole('button', { name: 'Concert 22:30–00:00' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-28T22:30:00+01:00', '2024-03-29T00:00:00+01:00'))

  const tuesday = await boxOf(page.getByRole('gridcell', { name: /^Tuesday 26 March 2024/ }))
  const block = await boxOf(thursday.getByRole('button', { name: /^Concert/ }))
  await page.mouse.move(block.x + block.width / 2, block.y + 10)
  await page.mouse.down()
  await page.mouse.move(tuesday.x + tuesday.width / 2, tuesday.y + tuesday.height / 2, { steps: 8 })
  await page.mouse.up()
  await hours(page, 'Tuesday, 26 March 2024').getByRole('button', { name: 'Concert 22:30–00:00' }).waitFor()
  await toast(page, '“Concert” moved to Tuesday, 26 March 2024').waitFor()
})

test('Keys alone move an event by Alt and arrows, cancel by Esc, and use the menu of the day', async ({ page, weekWith, when }) => {
  const id = await weekWith(page)
  await tabTo(page, /^Concert/)
  await page.keyboard.down('Alt')
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await page.getByRole('status').filter({ hasText: 'Friday, 29 March 2024, 10:30–12:00' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await until(() => ghost(page).count()).toBe(0)
  await page.keyboard.up('Alt')

  await page.keyboard.down('Alt')
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await page.keyboard.up('Alt')
  const sunday = hours(page, 'Sunday, 31 March 2024')
  await sunday.getByRole('button', { name: 'Concert 09:45–11:15' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-31T09:45:00+02:00', '2024-03-31T11:15:00+02:00'))
  // The focus has come along, so it goes on from here.
  await until(() => focusedName(page)).toBe('Concert09:45–11:15')
  await page.keyboard.press('Alt+ArrowDown')
  await sunday.getByRole('button', { name: 'Concert 10:00–11:30' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-31T10:00:00+02:00', '2024-03-31T11:30:00+02:00'))
  await page.keyboard.press('Control+z')
  await sunday.getByRole('button', { name: 'Concert 09:45–11:15' }).waitFor()
  expect(await page.evaluate(() => location.pathname)).toBe('/collections/calendar')

  await page.keyboard.press('Enter')
  await tabTo(page, /^More for Concert$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move to another day or time…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Move to another day or time' }).waitFor()
  await tabTo(page, /^Time/)
  // The same where the browser asks for hours of half a day.
  await page.keyboard.type('0810AM')
  await page.keyboard.press('Enter')
  await sunday.getByRole('button', { name: 'Concert 08:10–09:40' }).waitFor()
  await until(() => when(id)).toEqual(times('2024-03-31T08:10:00+02:00', '2024-03-31T09:40:00+02:00'))

  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Alt arrow keys').waitFor()
})

test('A finger moves an event by its menu, and dragging scrolls', async ({ openPage, people, weekWith, when }) => {
  const { page } = await openPage({ as: people.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  const id = await weekWith(page)
  const block = hours(page, 'Thursday, 28 March 2024').getByRole('button', { name: /^Concert/ })
  const frame = page.getByRole('region', { name: 'Days and hours' })
  const scrolled = await frame.evaluate(({ scrollTop }) => scrollTop)
  const at = await middleOf(block)
  await (await finger(page)).swipe(at, { x: at.x, y: at.y - 60 })
  await until(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(scrolled)
  await boxOf(block)
  await block.tap()
  const sheet = page.getByRole('dialog', { name: 'Thursday, 28 March 2024' })
  await sheet.getByRole('button', { name: 'More for Concert' }).tap()
  await page.getByRole('menuitem', { name: 'Move to another day or time…' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Move to another day or time' })
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Day').fill('2024-03-27')
  await dialog.getByLabel('Time').fill('18:20')
  await dialog.getByRole('button', { name: 'Move' }).tap()
  await toast(page, '“Concert” moved to Wednesday, 27 March 2024, 18:20').waitFor()
  await until(() => when(id)).toEqual(times('2024-03-27T18:20:00+01:00', '2024-03-27T19:50:00+01:00'))
})

test('A reader cannot move an event by mouse or keys', async ({ address, openPage, people, when, write }) => {
  const { page } = await openPage({ as: people.as('rita') })
  const id = await write(CONCERT)
  await page.goto(address('view=week&on=2024-03-28'))
  const thursday = hours(page, 'Thursday, 28 March 2024')
  const block = thursday.getByRole('button', { name: 'Concert 10:00–11:30' })
  await pull(page, block, 2, thursday)
  expect(await ghost(page).count()).toBe(0)
  await page.mouse.up()
  await block.focus()
  await page.keyboard.press('Alt+ArrowDown')
  expect(await ghost(page).count()).toBe(0)
  expect(await when(id)).toEqual(times('2024-03-28T10:00:00+01:00', '2024-03-28T11:30:00+01:00'))
})
