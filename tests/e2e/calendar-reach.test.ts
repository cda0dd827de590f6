import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { day, test, until } from '../support/calendar-scene.ts'
import { jpegLike, upload } from '../support/files.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { finger, focusedName, middleOf, tabTo } from '../support/reach.ts'

/** All that the calendar does, once with keys alone and once with a finger on a phone. */

/** Pixels from where the one ends to where the other ends, below it. */
async function between(upper: Locator, lower: Locator): Promise<number> {
  const [a, b] = [await upper.boundingBox(), await lower.boundingBox()]
  const pixels = a && b ? b.y + b.height - a.y - a.height : Number.NaN
  return pixels >= 0 ? pixels : Number.NaN
}

test('Keys alone write for a day, move to another, and open week, year, tray and link', async ({ diary, page, write }) => {
  await write({ type: 'note', title: 'Letter' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05`)
  await page.getByRole('grid', { name: 'May 2024' }).waitFor()

  await tabTo(page, /^Wednesday 1 May 2024/)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Wednesday, 1 May 2024' })
  await panel.waitFor()
  await tabTo(page, /^New note$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New note' }).waitFor()
  await tabTo(page, /^Title/)
  await page.keyboard.type('Written with keys')
  await tabTo(page, /^Post$/)
  await page.keyboard.press('Enter')
  await panel.getByRole('article', { name: 'Written with keys' }).waitFor()

  await tabTo(page, /^More for Written with keys$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move to another day…' }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move to another day' })
  await tabTo(page, /^Day/)
  // The same in whichever order the browser asks for day and month.
  await page.keyboard.type('05052024')
  expect(await dialog.getByLabel('Day').inputValue()).toBe('2024-05-05')
  await page.keyboard.press('Enter')
  await day(page, 'Sunday 5 May 2024, 1 note').waitFor()

  await tabTo(page, /^1 item has no date$/)
  await page.keyboard.press('Enter')
  const tray = page.getByRole('complementary', { name: 'Without a date' })
  await tray.getByRole('article', { name: 'Letter' }).waitFor()
  await page.keyboard.press('Escape')
  await tray.waitFor({ state: 'detached' })

  await tabTo(page, /^Month$/)
  // One before the other is up, as fast fingers do.
  await Promise.all([page.keyboard.press('ArrowRight'), page.keyboard.press('Enter')])
  await page.getByRole('grid', { name: 'Days' }).waitFor()
  await tabTo(page, /2024.*\d/)
  const week = await page.getByRole('heading', { level: 1 }).textContent()
  await page.keyboard.press('ArrowDown')
  await until(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(week)

  await tabTo(page, /^Week$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '2024', level: 1 }).waitFor()
  await tabTo(page, /^\w+ \d+ \w+ 2024/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: / 2024$/ }).waitFor()

  await page.goto(`/collections/settings?c=${diary}`)
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  await tabTo(page, /^Create link$/)
  await page.keyboard.press('Enter')
  await until(() => page.getByLabel('Your link').inputValue()).toMatch(/\.ics$/)
})

test('The focus goes to the heading of a day when its only item is moved to the trash', async ({ address, page, write }) => {
  await write({ type: 'note', title: 'Letter', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-05&day=2024-05-03'))
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await panel.getByRole('button', { name: 'Letter', exact: true }).press('x')
  await page.getByRole('toolbar', { name: 'Selected items' }).waitFor()
  await page.keyboard.press('Delete')
  await panel.getByText('Nothing on this day yet.').waitFor()
  await until(() => focusedName(page)).toBe('Friday, 3 May 2024')
})

test('A finger on a phone writes for a day, moves to another, and opens week, year, tray and link', async ({
  diary,
  openPage,
  people,
  write,
}) => {
  const { page } = await openPage({ as: people.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  await write({ type: 'note', title: 'Letter' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05`)
  await page.getByRole('button', { name: '1 item has no date' }).tap()
  const tray = page.getByRole('dialog', { name: 'Without a date' })
  await tray.getByRole('button', { name: 'More for Letter' }).tap()
  await page.getByRole('menuitem', { name: 'Move to a day…' }).tap()
  const moving = page.getByRole('dialog', { name: 'Move to a day' })
  await moving.getByLabel('Day').fill('2024-05-08')
  await moving.getByRole('button', { name: 'Move' }).tap()
  await tray.getByText('Nothing left here.').waitFor()
  await tray.getByRole('button', { name: 'Close' }).tap()

  await day(page, 'Wednesday 8 May 2024, 1 note').tap()
  const sheet = page.getByRole('dialog', { name: 'Wednesday, 8 May 2024' })
  await sheet.getByRole('button', { name: 'New note' }).tap()
  const writing = page.getByRole('dialog', { name: 'New note' })
  await writing.getByRole('textbox', { name: 'Title' }).fill('Written on a phone')
  await writing.getByRole('button', { name: 'Post', exact: true }).tap()
  await sheet.getByRole('article', { name: 'Written on a phone' }).waitFor()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })

  await page.getByRole('radio', { name: 'Week' }).tap()
  await page.getByRole('heading', { name: '6–12 May 2024', level: 1 }).waitFor()
  // The morning is right below the days.
  await until(() => between(page.getByRole('grid', { name: 'Days' }), page.getByText('07:00', { exact: true }))).toBeLessThan(48)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Next week' }).tap()
  await page.getByRole('heading', { name: '13–19 May 2024', level: 1 }).waitFor()
  await page.getByRole('radio', { name: 'Year' }).tap()
  await day(page, 'Wednesday 8 May 2024, 2 items').tap()
  await page.getByRole('dialog', { name: 'Wednesday, 8 May 2024' }).getByRole('article', { name: 'Letter' }).waitFor()
  await page.goto(`/collections/settings?c=${diary}`)
  await page.getByRole('button', { name: 'Create link' }).tap()
  await until(() => page.getByLabel('Your link').inputValue()).toMatch(/\.ics$/)
})

test('A photo of a day opens above the sheet on a phone, and closing it leads back to where it was in the sheet', async ({
  address,
  diary,
  openPage,
  people,
  write,
}) => {
  const at = (hour: number) => ({ date: `2024-05-08T${hour}:00:00Z`, datePrecision: 'minute' as const, dateZone: 'UTC' })
  const photo = (name: string, hour: number) => upload(people.as('ada'), jpegLike(), { name, ...at(hour), collectionIds: [diary] })
  const inPost = await photo('summit.jpg', 10)
  await write({ type: 'note', title: 'The walk', existingAssetIds: [inPost.id], ...at(10) })
  for (let hour = 11; hour < 21; hour++)
    await write({ type: 'note', title: `At ${hour}`, body: '<p>Out and back</p>'.repeat(4), ...at(hour) })
  await photo('dusk.jpg', 21)

  const { page } = await openPage({ as: people.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
  await page.goto(address('view=month&on=2024-05'))
  await day(page, 'Wednesday 8 May 2024, .*').tap()
  const sheet = page.getByRole('dialog', { name: 'Wednesday, 8 May 2024' })
  const dusk = sheet.getByRole('button', { name: /^(Photo|Open) dusk\.jpg/ })
  await dusk.scrollIntoViewIfNeeded()
  const { y } = await middleOf(dusk)
  await dusk.tap()
  const photos = page.getByRole('dialog', { name: /dusk\.jpg/ })
  await photos.getByRole('button', { name: 'Information' }).tap()
  await page.getByRole('complementary', { name: 'Information' }).getByRole('button', { name: 'Close' }).tap()
  await photos.getByRole('button', { name: 'Close' }).tap()
  await photos.waitFor({ state: 'detached' })
  await until(async () => Math.abs((await middleOf(dusk)).y - y)).toBeLessThan(2)

  await sheet.getByRole('button', { name: 'The walk', exact: true }).tap()
  const post = page.getByRole('dialog', { name: 'The walk' })
  await post.getByRole('button', { name: 'Open summit.jpg' }).tap()
  const inThePost = page.getByRole('dialog', { name: /summit\.jpg/ })
  await inThePost.getByRole('button', { name: 'Close' }).tap()
  await post.getByRole('button', { name: 'Close' }).tap()
  await post.waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  await until(() => page.evaluate(() => document.activeElement?.getAttribute('data-day'))).toBe('2024-05-08')
})

test.for(['month', 'year'])('Two fingers on a phone enlarge the %s', async (view, { address, openPage, people }) => {
  const { page } = await openPage({ as: people.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  await page.goto(address(`view=${view}&on=2024-05`))
  const touch = await finger(page)
  await touch.spread(await middleOf(day(page, 'Wednesday 8 May 2024')))
  await until(() => page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1.5)
})

test('A line in this week shows the present and moves on', async ({ diary, page, write }) => {
  await write({
    type: 'event',
    title: 'Just now',
    date: '2024-05-03T14:00:00+02:00',
    endsAt: '2024-05-03T15:00:00+02:00',
    dateZone: 'Europe/Vienna',
  })
  await page.clock.install({ time: '2024-05-03T12:05:00Z' })
  await page.goto(`/collections/calendar?c=${diary}&view=week&on=2024-05-03`)
  const friday = page.getByRole('list', { name: 'Friday, 3 May 2024' })
  const line = friday.getByRole('listitem').filter({ hasText: /^Now, 14:0[5-9]$/ })
  await line.waitFor()
  const event = friday.getByRole('button', { name: /Just now/ })
  await until(async () => {
    const [at, block] = [await line.boundingBox(), await event.boundingBox()]
    return at && block && at.y > block.y && at.y < block.y + block.height / 4
  }).toBe(true)
  await page.clock.fastForward('30:00')
  await friday
    .getByRole('listitem')
    .filter({ hasText: /^Now, 14:3[5-9]$/ })
    .waitFor()
  await page.getByRole('button', { name: 'Next week' }).click()
  await page.getByRole('list', { name: 'Friday, 10 May 2024' }).waitFor()
  expect(await page.getByText(/^Now, /).count()).toBe(0)
})
