import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, dropFiles } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Ada adds photos of which some are alike, Bob looks, and Cy adds a copy of his own. */

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

const test = app
  .extend('kyoto', () => world({ bob: 'read', cy: 'write' }))
  .extend('openMedia', ({ kyoto, openPage }) => async (name: string) => {
    return openPage({ as: kyoto.as(name), at: `/collections/media?c=${kyoto.collection.id}` })
  })
  .extend('add', ({ folder }) => async (page: Page, files: Record<string, Sharp>, told: string) => {
    const paths = Object.keys(files).map((name) => path.join(folder, name))
    for (const at of paths) await writeFile(at, (await files[path.basename(at)]?.toBuffer()) ?? '')
    await page.getByRole('heading', { name: 'Media' }).waitFor()
    await dropFiles(page, paths)
    await page.getByText(told).first().waitFor({ timeout: 90_000 })
  })

const original = (name: string) => sharp(path.join(PICTURES, `${name}.jpg`))
const boat = () => original('kingfisher-on-a-branch').resize(1000).jpeg({ quality: 85 })
const sent = () => original('kingfisher-on-a-branch').resize(480).jpeg({ quality: 40 })
const other = () => original('bowls-of-spices').resize(600).jpeg()

/** By attribute: behind the dialog they have no role. */
const tiles = (page: Page) => page.locator('button[data-index]')

async function review(page: Page) {
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('menuitem', { name: 'Find similar photos' }).click()
  return page.getByRole('dialog', { name: 'Similar photos' })
}

test('A photo and its small copy are one set; keeping the best moves the copy to the trash, and Undo brings it back', async ({
  add,
  openMedia,
}) => {
  const { page } = await openMedia('ada')
  await add(page, { 'kingfisher.jpg': boat(), 'sent.jpg': sent(), 'spices.jpg': other() }, '3 photos added')
  const dialog = await review(page)
  const set = dialog.getByRole('region', { name: 'Set 1 of 1' })
  await set.waitFor()
  expect(await set.getByRole('listitem').count()).toBe(2)
  expect(await set.getByRole('checkbox', { name: 'Keep · the best kingfisher.jpg' }).isChecked()).toBe(true)
  expect(await set.getByRole('checkbox', { name: 'Keep sent.jpg' }).isChecked()).toBe(false)
  await expect.poll(() => axeViolations(page)).toEqual([])
  await set.getByRole('button', { name: 'Keep the best' }).click()
  await dialog.getByText('Nothing here looks alike').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Nothing here looks alike')
  await expect.poll(() => tiles(page).count()).toBe(2)
  await dialog.getByText('1 photo moved to the trash').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await set.waitFor()
  await expect.poll(() => tiles(page).count()).toBe(3)
})

test('What is called different is not offered again on this device, and what is in a post is kept', async ({ add, kyoto, openMedia }) => {
  const ada = kyoto.as('ada')
  const { page } = await openMedia('ada')
  await add(page, { 'kingfisher.jpg': boat(), 'sent.jpg': sent() }, '2 photos added')
  const { body } = await ada.get(`/api/asset?collection_id=${kyoto.collection.id}`)
  const copy = body.assets.find(({ name }: { name: string }) => name === 'sent.jpg')
  await ada.put(`/api/asset/${copy.id}`, { alt: 'At the river', name: 'sent.jpg' })
  const dialog = await review(page)
  const keep = dialog.getByRole('checkbox', { name: 'Keep sent.jpg' })
  await dialog.getByText('a description').waitFor()
  expect(await keep.isChecked()).toBe(false)
  // While it is open, the copy gets into a post.
  await ada.post('/api/post', { type: 'note', title: 'Birds', collectionIds: [kyoto.collection.id], existingAssetIds: [copy.id] })
  await dialog.getByText('In the post “Birds”').waitFor()
  expect(await keep.isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'They are different' }).click()
  await dialog.getByText('Nothing here looks alike').waitFor()
  await page.reload()
  await tiles(page).first().waitFor()
  const later = await review(page)
  await later.getByText('Nothing here looks alike').waitFor()
  await later.getByRole('button', { name: 'Show again what was called different' }).click()
  await later.getByRole('region', { name: 'Set 1 of 1' }).waitFor()
})

test('A reader sees what is alike and nothing to delete; a writer may delete only their own', async ({ add, openMedia }) => {
  const ada = await openMedia('ada')
  await add(ada.page, { 'kingfisher.jpg': sent() }, '1 photo added')
  const cy = await openMedia('cy')
  await add(cy.page, { 'mine.jpg': boat() }, '1 photo added')
  const { page } = await openMedia('bob')
  await expect.poll(() => tiles(page).count()).toBe(2)
  const seen = await review(page)
  await seen.getByRole('region', { name: 'Set 1 of 1' }).waitFor()
  expect(await seen.getByRole('checkbox').count()).toBe(0)
  expect(await seen.getByRole('button', { name: /keep/i }).count()).toBe(0)
  await expect.poll(() => axeViolations(page)).toEqual([])

  const own = await review(cy.page)
  await own.getByRole('checkbox', { name: 'Keep · the best mine.jpg' }).waitFor()
  expect(await own.getByRole('checkbox').count()).toBe(1)
  expect(await own.getByRole('button', { name: 'Keep 2 of 2' }).getAttribute('aria-disabled')).toBe('true')
})
