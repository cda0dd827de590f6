import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { DESKTOP, PHONE } from '../support/people.ts'
import { boxOf, middleOf, tabOnto, tabTo } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** Toasts and dialogs that are there at once. */

const test = app
  .extend('kyoto', { scope: 'file' }, () => world())
  /** A collection with two notes of one day. */
  .extend('diary', async ({ kyoto }): Promise<string> => {
    const { body } = await kyoto.as('ada').post('/api/collections', { name: 'Diary' })
    for (const title of ['Picnic', 'Rain']) {
      const fields = { type: 'note', title, date: '2024-05-03T12:00:00Z', datePrecision: 'day', collectionIds: [body.collection.id] }
      expect((await kyoto.as('ada').post('/api/post', fields)).status).toBe(201)
    }
    return body.collection.id
  })

/** The one in front. Beside an open dialog it is hidden from screen readers, if it was there before. */
const toast = (page: Page, text: string) => page.getByRole('listitem', { includeHidden: true }).filter({ hasText: text }).first()

/** Toasts stay while nobody looks at the window. */
async function shown(page: Page, text: string): Promise<Locator> {
  await toast(page, text).waitFor()
  await page.evaluate(() => dispatchEvent(new Event('blur')))
  return toast(page, text)
}

/** In sight, and apart from these buttons of the dialog. */
async function expectApart(thing: Locator, dialog: Locator, names: string[]): Promise<void> {
  const a = await boxOf(thing)
  const { width, height } = thing.page().viewportSize() ?? PHONE
  expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height, JSON.stringify(a)).toBe(true)
  for (const name of names) {
    const b = await boxOf(dialog.getByRole('button', { name, exact: true }))
    const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
    expect(apart, `${name} ${JSON.stringify([a, b])}`).toBe(true)
  }
}

/** Asks, in the menu of an item of a day, for the day after it. */
async function move(of: Locator, title: string): Promise<Locator> {
  const page = of.page()
  await of.getByRole('button', { name: `More for ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Move to another day…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move to another day' })
  await dialog.getByLabel('Day').fill('2024-05-04')
  return dialog
}

test('A toast on a phone stands above a sheet, and buttons of both can be tapped at once', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const sheet = page.getByRole('dialog', { name: 'Friday, 3 May 2024' })
  await (await move(sheet, 'Picnic')).getByRole('button', { name: 'Move' }).tap()
  const first = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  await expectApart(first, sheet, ['Close', 'New event', 'New note', 'More for Rain'])

  const dialog = await move(sheet, 'Rain')
  await expectApart(first, dialog, ['Close', 'Cancel', 'Move'])
  await dialog.getByRole('button', { name: 'Move' }).tap()
  const second = await shown(page, '“Rain” moved to Saturday, 4 May 2024')
  await dialog.waitFor({ state: 'detached' })
  await expectApart(second, sheet, ['Close', 'New event', 'New note'])
  await second.getByRole('button', { name: 'Undo' }).tap()
  await sheet.getByRole('article', { name: 'Rain' }).waitFor()
})

test('A toast over a full-height sheet leaves its footer free, and without a sheet stands above floating buttons', async ({
  diary,
  kyoto,
  openPage,
}) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const sheet = page.getByRole('dialog', { name: 'Friday, 3 May 2024' })
  await (await move(sheet, 'Picnic')).getByRole('button', { name: 'Move' }).tap()
  const told = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  await sheet.getByRole('button', { name: 'New note' }).tap()
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Swifts are back')
  expect((await boxOf(dialog)).y).toBeLessThan(100)
  await expectApart(told, dialog, ['Close', 'Cancel', 'Post'])
  await dialog.getByRole('button', { name: 'Post', exact: true }).tap()
  const saved = await shown(page, '“Swifts are back” added to Diary')
  await dialog.waitFor({ state: 'detached' })
  await expectApart(saved, sheet, ['Close', 'New event', 'New note'])
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await sheet.waitFor({ state: 'detached' })
  const { y, height } = await boxOf(saved)
  expect(y + height).toBeCloseTo((await boxOf(page.getByRole('button', { name: 'New', exact: true }))).y - 16, -1)
})

test('A toast on a wide screen stays in its corner beside a dialog', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: DESKTOP })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await (await move(panel, 'Picnic')).getByRole('button', { name: 'Move' }).click()
  const told = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  const { y } = await boxOf(told)
  await expectApart(told, await move(panel, 'Rain'), ['Close', 'Cancel', 'Move'])
  expect((await boxOf(told)).y).toBe(y)
})

test('Toasts stand in the bottom right corner, each 0.05 smaller than the one before it, and F8 spreads them 16 px apart', async ({
  diary,
  kyoto,
  openPage,
}) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: DESKTOP, reducedMotion: 'reduce' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  for (const title of ['Picnic', 'Rain']) {
    const dialog = await move(panel, title)
    await dialog.getByRole('button', { name: 'Move' }).click()
    await dialog.waitFor({ state: 'detached' })
    await shown(page, `“${title}” moved to Saturday, 4 May 2024`)
  }
  const [back, front] = [toast(page, '“Picnic” moved'), toast(page, '“Rain” moved')]
  const corner = await boxOf(front)
  expect([DESKTOP.width - corner.x - corner.width, DESKTOP.height - corner.y - corner.height]).toEqual([16, 16])
  await expect.poll(async () => (await boxOf(back)).width / corner.width).toBeCloseTo(0.95, 3)
  await page.keyboard.press('F8')
  const gap = async () => {
    const { y, height } = await boxOf(back)
    return corner.y - y - height
  }
  await expect.poll(gap).toBeCloseTo(16, 1)
})

test('A toast is closed by a swipe of more than 50 px', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: DESKTOP, reducedMotion: 'reduce' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await (await move(panel, 'Picnic')).getByRole('button', { name: 'Move' }).click()
  const told = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  const swipe = async (by: number) => {
    const { x, y } = await middleOf(told.getByText('“Picnic” moved to Saturday, 4 May 2024'))
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by, y, { steps: 3 })
    await page.mouse.up()
  }
  await swipe(50)
  await expect.poll(() => told.getAttribute('data-swipe')).toBe('cancel')
  expect(await told.getAttribute('data-state')).toBe('open')
  await swipe(51)
  await told.waitFor({ state: 'detached' })
})

test('A toast on a tablet stands below a centred dialog and leaves the footer of a tall one free', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: { width: 820, height: 640 }, hasTouch: true, isMobile: true })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const sheet = page.getByRole('dialog', { name: 'Friday, 3 May 2024' })
  await (await move(sheet, 'Picnic')).getByRole('button', { name: 'Move' }).tap()
  const told = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  const dialog = await move(sheet, 'Rain')
  await expectApart(told, dialog, ['Close', 'Cancel', 'Move'])
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  await sheet.getByRole('button', { name: 'New note' }).tap()
  await expectApart(told, page.getByRole('dialog', { name: 'New note' }), ['Close', 'Cancel', 'Post'])
})

test('Toasts spread while the pointer is on them, as they do on F8', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: DESKTOP, reducedMotion: 'reduce' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  for (const title of ['Picnic', 'Rain']) {
    const dialog = await move(panel, title)
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await shown(page, `“${title}” moved to Saturday, 4 May 2024`)
  }
  const [picnic, rain] = [toast(page, '“Picnic” moved'), toast(page, '“Rain” moved')]
  const apart = async () => (await boxOf(rain)).y - ((await boxOf(picnic)).y + (await boxOf(picnic)).height)
  const spread = () => expect.poll(apart).toBeGreaterThan(8)
  const stacked = () => expect.poll(apart).toBeLessThan(0)
  await stacked()
  await rain.hover()
  await spread()
  // Across the gap between them.
  await picnic.hover()
  await spread()
  await page.mouse.move(300, 300)
  await stacked()
  await page.keyboard.press('F8')
  await spread()
})

test('F8 leads from an open dialog to the toasts, and Tab back into it', async ({ diary, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: DESKTOP, reducedMotion: 'reduce' })
  await page.goto(`/collections/calendar?c=${diary}&view=month&on=2024-05&day=2024-05-03`)
  const panel = page.getByRole('complementary', { name: 'Friday, 3 May 2024' })
  await (await move(panel, 'Picnic')).getByRole('button', { name: 'Move' }).click()
  const told = await shown(page, '“Picnic” moved to Saturday, 4 May 2024')
  const dialog = await move(panel, 'Rain')
  await page.keyboard.press('F8')
  await tabTo(page, /^Undo$/)
  await tabOnto(dialog)
  await page.keyboard.press('F8')
  await tabTo(page, /^Undo$/)
  await page.keyboard.press('Enter')
  await told.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
})
