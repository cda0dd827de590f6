import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { axeViolations, DESKTOP, PHONE } from '../support/people.ts'
import { pictureBytes } from '../support/pictures.ts'
import { SOON } from '../support/viewer.ts'
import { world } from '../support/world.ts'

/** Guests add photos on the page of a link, which wait for an admin. */

const test = app
  .extend('kyoto', () => world({ rita: 'read' }))
  .extend('files', async () => [
    { name: 'spices.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes('bowls-of-spices', 1600) },
    { name: 'kingfisher.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes('kingfisher-on-a-branch', 1600) },
    { name: 'swing.mp4', mimeType: 'video/mp4', buffer: randomBytes(LIMITS.partSize + 1_000_000) },
  ])

test('A guest on a phone adds photos and a long film, and everybody sees what an admin accepts', async ({ files, kyoto, openPage }) => {
  const settings = `/collections/settings?c=${kyoto.collection.id}`
  const { page: hers } = await openPage({ as: kyoto.as('ada'), at: settings, viewport: DESKTOP })
  await hers.getByRole('heading', { name: 'Links' }).waitFor()
  const { page: reader } = await openPage({ as: kyoto.as('rita'), at: `/collections/media?c=${kyoto.collection.id}` })
  await reader.getByRole('heading', { name: 'No photos yet' }).waitFor()
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { allows: 'add' })

  const { page } = await openPage({ viewport: PHONE, at: new URL(url).pathname })
  await page.getByRole('textbox', { name: 'Your name' }).fill('Oma')
  await page.getByLabel('Photos, videos or other files').setInputFiles(files)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const waiting = page.getByRole('region', { name: 'Add photos' }).getByRole('listitem')
  await waiting.filter({ hasText: 'swing.mp4' }).waitFor(SOON)
  expect(await waiting.count()).toBe(3)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Take back swing.mp4' }).click()
  await expect.poll(() => waiting.count()).toBe(2)

  const tray = hers.getByRole('region', { name: 'From guests' })
  await tray.getByRole('checkbox', { name: /spices.jpg/ }).waitFor(SOON)
  await expect.poll(() => tray.getByRole('listitem').count()).toBe(2)
  expect(await axeViolations(hers)).toEqual([])
  await tray.getByRole('checkbox', { name: /kingfisher.jpg/ }).click()
  await tray.getByRole('button', { name: 'Decline 1 photo' }).click()
  await hers.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await hers.getByText('1 photo declined').first().waitFor()
  await tray.getByRole('button', { name: 'Accept all' }).click()
  await hers.getByText('1 photo added to “Kyoto”').first().waitFor()
  await tray.waitFor({ state: 'detached' })
  await expect.poll(() => hers.evaluate(() => document.activeElement?.id), SOON).toBe('content')

  await reader.getByRole('button', { name: /spices.jpg/ }).waitFor(SOON)
  await page.reload()
  await page
    .getByRole('list', { name: 'Photos and files' })
    .getByRole('link', { name: /^spices.jpg/ })
    .click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('There is nothing here yet.').waitFor()
  await reader.getByRole('heading', { name: 'No photos yet' }).waitFor(SOON)
})

test('A photo that is refused is named with the reason, and the others are sent', async ({ files, kyoto, openPage }) => {
  await kyoto.sql`insert into quotas (owner, bytes, items) values (${kyoto.collection.id}, 5000000, 100)`
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { allows: 'add', approve: false })
  const { page } = await openPage({ at: new URL(url).pathname })
  await page.getByRole('textbox', { name: 'Your name' }).fill('Oma')
  await page.getByLabel('Photos, videos or other files').setInputFiles(files)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const status = page.getByRole('region', { name: 'Add photos' }).getByRole('status')
  await status.getByText('2 of 3 sent').waitFor(SOON)
  expect(await status.textContent()).toContain('swing.mp4: ')
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect.poll(() => page.getByRole('list', { name: 'Photos and files' }).getByRole('listitem').count()).toBe(2)
})

test('Without a script, the form sends small photos at once', async ({ files, kyoto, openPage }) => {
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { allows: 'add' })
  const { page } = await openPage({ at: new URL(url).pathname, javaScriptEnabled: false })
  await page.getByText('At most 12 MB at once.').waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Oma')
  await page.getByLabel('Photos, videos or other files').setInputFiles(files.slice(0, 2))
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Take back spices.jpg' }).waitFor()
})
