import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { mailTo } from '../support/mail.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { world } from '../support/world.ts'

/** A member asks for a weekly mail in the settings, and a guest on the page of a link, in a browser that runs no script. */

const test = app
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('guest', async ({ openPage }): Promise<Page> => (await openPage({ viewport: PHONE, javaScriptEnabled: false })).page)
  .extend('scripted', async ({ openPage }): Promise<Page> => (await openPage({ viewport: PHONE })).page)

test('A reader turns the weekly mail of a collection on and off in its settings', async ({ kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('bob'), at: `/collections/settings?c=${kyoto.collection.id}` })
  const weekly = page.getByRole('switch', { name: /^Weekly mail/ })
  await weekly.waitFor()
  expect(await weekly.isChecked()).toBe(false)
  const readers = () => kyoto.sql`select user_id from weekly_mails where collection_id = ${kyoto.collection.id}`
  await weekly.click()
  await expect.poll(readers).toEqual([{ user_id: kyoto.as('bob').id }])
  await page.reload()
  await expect.poll(() => weekly.isChecked()).toBe(true)
  await page.getByRole('switch', { name: /^Notify me when others add items/ }).click()
  await page.getByText('Paused while notifications of this collection are off.').waitFor()
  await weekly.click()
  await expect.poll(readers).toEqual([])
})

test('A guest gives an address, confirms it, comes back by the mail’s page and ends the mail', async ({ kyoto, guest, scripted }) => {
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { name: 'For grandma' })
  await guest.goto(url)
  const email = `oma-${crypto.randomUUID()}@example.org`
  await guest.getByRole('textbox', { name: 'Your e-mail address' }).fill(email)
  await guest.getByRole('button', { name: 'Get a weekly mail' }).click()
  await guest.getByText('Check your inbox').waitFor()
  const { link = '' } = await mailTo(email, 'Confirm your weekly mail')
  for (const path of [url, link]) {
    await scripted.goto(path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await scripted.emulateMedia({ colorScheme })
      expect(await axeViolations(scripted)).toEqual([])
    }
  }
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Confirm' }).click()
  await guest.getByText('Your weekly mail is on').waitFor()
  await guest.getByRole('link', { name: 'Back to the photos and posts' }).click()
  await guest.getByRole('heading', { level: 1, name: 'For grandma' }).waitFor()
  await guest.getByRole('button', { name: 'End weekly mail' }).click()
  await guest.getByRole('button', { name: 'Get a weekly mail' }).waitFor()
  expect(await kyoto.sql`select from weekly_mails where collection_id = ${kyoto.collection.id}`).toEqual([])
})
