import { expect } from 'vitest'
import { day, grid, test } from '../support/calendar-scene.ts'

/** What leads to a sight of the calendar and narrows it: its address, filters, and the link for other calendars. */

test('A reload, Back and a link open the same month and the same day', async ({ address, page, write }) => {
  await write({ title: 'Picnic', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-06'))
  await grid(page, 'June 2024').waitFor()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await grid(page, 'May 2024').waitFor()
  await day(page, 'Friday 3 May 2024, 1 event').click()
  const panel = page.getByRole('complementary').filter({ hasText: 'Friday, 3 May 2024' })
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
  const link = page.url()
  await page.reload()
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
  await page.getByRole('link', { name: 'Media', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor()
  await page.goBack()
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
  await grid(page, 'May 2024').waitFor()
  await page.goto(link)
  await panel.getByRole('article', { name: 'Picnic' }).waitFor()
})

test('Filters narrow the months and say when nothing matches', async ({ address, page, write }) => {
  await write({ title: 'Picnic', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  await write({ type: 'note', title: 'Rain', date: '2024-05-04T12:00:00Z', datePrecision: 'day' })
  await page.goto(address('view=month&on=2024-05'))
  await day(page, 'Saturday 4 May 2024, 1 note').waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page
    .getByRole('dialog', { name: 'Filters' })
    .getByRole('button', { name: /^Events/ })
    .click()
  await page.keyboard.press('Escape')
  await day(page, 'Saturday 4 May 2024').waitFor()
  await day(page, 'Friday 3 May 2024, 1 event').waitFor()
  await page.getByRole('searchbox', { name: 'Search this collection' }).fill('nowhere')
  await page.getByRole('heading', { name: /^No items match/ }).waitFor()
  await page.getByRole('button', { name: 'Clear all' }).first().click()
  await day(page, 'Saturday 4 May 2024, 1 note').waitFor()
})

test('A calendar link is made in the settings, read without a session and revoked', async ({ diary, page, write }) => {
  await write({ title: 'Picnic', date: '2024-05-03T12:00:00Z', datePrecision: 'day' })
  await page.goto(`/collections/settings?c=${diary}`)
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page.getByLabel('Your link').inputValue()
  expect(await (await fetch(url)).text()).toContain('SUMMARY:Picnic')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  expect((await fetch(url)).status).toBe(404)
})
