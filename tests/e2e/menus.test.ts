import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { boxOf, middleOf } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** Menus open as the button of the mouse goes down. Its release is no choice: that is another click. */
const test = app.extend('kyoto', async () => {
  const kyoto = await world()
  for (const title of ['Gates', 'Temples', 'Rain', 'Tea'])
    await kyoto.as('ada').post('/api/post', { type: 'note', title, collectionIds: [kyoto.collection.id] })
  return kyoto
})

const menuOf = (page: Page) => page.getByRole('menu')

/** Presses the mouse on a button and waits for its menu. */
async function press(button: Locator): Promise<void> {
  const page = button.page()
  await button.scrollIntoViewIfNeeded()
  const { x, y } = await middleOf(button)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await boxOf(menuOf(page))
}

/** Lets go of the mouse. */
async function staysOpen(page: Page): Promise<void> {
  await page.mouse.up()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await menuOf(page).count()).toBe(1)
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'detached' })
}

test('A menu that comes under the pointer does not take the release of the click that opened it for a choice', async ({
  kyoto,
  openPage,
}) => {
  const at = `/collections/timeline?c=${kyoto.collection.id}`
  const { page } = await openPage({ as: kyoto.as('ada'), at, viewport: { width: 1440, height: 450 } })
  const button = page.getByRole('article', { name: 'Temples' }).getByRole('button', { name: 'More' })
  await press(button)
  const [from, first] = [await middleOf(button), await middleOf(page.getByRole('menuitem').first())]
  await page.evaluate((by) => scrollBy(0, by), first.y - from.y)
  await expect.poll(() => page.evaluate(() => document.querySelector('[role=menuitem]:hover') !== null)).toBe(true)
  await staysOpen(page)

  await button.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog', { name: /^Edit/ }).waitFor()
})
