import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { expect } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { test as app } from '../support/fixtures.ts'
import { grow } from '../support/many.ts'
import { axeViolations, dropFiles } from '../support/people.ts'
import { uploadPicture } from '../support/pictures.ts'
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
  await set.getByRole('button', { name: 'Keep the best, move 1 to the trash' }).click()
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
  await dialog.getByText('What you move to the trash has a description, which the kept photos lack. It is not copied.').waitFor()
  expect(await keep.isChecked()).toBe(false)
  // While it is open, the copy gets into a post.
  const birds = { type: 'note', title: 'Birds', collectionIds: [kyoto.collection.id], existingAssetIds: [copy.id] }
  for (const post of [birds, birds]) await ada.post('/api/post', post)
  await expect.poll(() => dialog.getByText('In the post “Birds”').count()).toBe(2)
  expect(await keep.isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'They are different' }).click()
  await dialog.getByText('Nothing here looks alike').waitFor()
  await page.reload()
  await tiles(page).first().waitFor()
  const later = await review(page)
  await later.getByText('Nothing here looks alike').waitFor()
  await later.getByRole('button', { name: 'Show the ones marked as different again' }).click()
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

const BIRD = 'kingfisher-on-a-branch'

test('A copy that is in another collection as well is kept, unless somebody decides otherwise', async ({ kyoto, openMedia }) => {
  const ada = kyoto.as('ada')
  const collectionIds = [kyoto.collection.id]
  const { body } = await ada.post('/api/collections', { name: 'Nara' })
  await uploadPicture(ada, BIRD, 900, { collectionIds })
  await uploadPicture(ada, BIRD, 480, { name: 'sent.jpg', collectionIds: [...collectionIds, body.collection.id] })
  const { page } = await openMedia('ada')
  const dialog = await review(page)
  await dialog.getByText('Also in Nara').waitFor()
  const keep = dialog.getByRole('checkbox', { name: 'Keep sent.jpg' })
  expect(await keep.isChecked()).toBe(true)
  expect(await dialog.getByRole('button', { name: 'Keep 2 of 2' }).getAttribute('aria-disabled')).toBe('true')
  await keep.click()
  await dialog.getByRole('button', { name: 'Keep the best, move 1 to the trash' }).waitFor()
})

test('An item with parts is kept, and it is told that all of them would go', async ({ kyoto, openMedia }) => {
  const ada = kyoto.as('ada')
  const collectionIds = [kyoto.collection.id]
  await uploadPicture(ada, BIRD, 900, { collectionIds })
  const cover = await uploadPicture(ada, BIRD, 480, { name: 'cover.jpg', collectionIds })
  const part = await uploadPicture(ada, 'bowls-of-spices', 480, { collectionIds })
  const group = await ada.post(`/api/collections/${kyoto.collection.id}/groups`, { assetIds: [cover.id, part.id], cover: cover.id })
  expect(group.status).toBe(201)
  const { page } = await openMedia('ada')
  const dialog = await review(page)
  const keep = dialog.getByRole('checkbox', { name: 'Keep cover.jpg' })
  await keep.waitFor()
  expect(await keep.isChecked()).toBe(true)
  expect(await dialog.getByText('All parts of').count()).toBe(0)
  await keep.click()
  await dialog.getByText('All parts of cover.jpg go to the trash.').waitFor()
  await dialog.getByRole('button', { name: 'Keep the best, move 2 to the trash' }).click()
  await dialog.getByText('2 photos moved to the trash').waitFor()
  await expect.poll(() => tiles(page).count()).toBe(1)
})

test('Two shots are kept and the copy of one goes; then they are not offered again, until that is undone', async ({ kyoto, openMedia }) => {
  const ada = kyoto.as('ada')
  const at = (second: string) => ({ date: `2026-05-03T10:00:${second}Z`, collectionIds: [kyoto.collection.id] })
  await uploadPicture(ada, BIRD, 900, { ...at('00'), name: 'one.jpg' })
  await uploadPicture(ada, BIRD, 880, { ...at('05'), name: 'two.jpg' })
  await uploadPicture(ada, BIRD, 480, { ...at('05'), name: 'sent.jpg' })
  const { page } = await openMedia('ada')
  const dialog = await review(page)
  await dialog.getByText('Taken moments apart').waitFor()
  const keep = dialog.getByRole('button', { name: 'Keep 2 of 3, move 1 to the trash' })
  await keep.click()
  await dialog.getByText('Nothing here looks alike').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Nothing here looks alike')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  // The toast, over which the pointer is, may cover it.
  await keep.press('Enter')
  await expect.poll(() => tiles(page).count()).toBe(2)
  await page.reload()
  await tiles(page).first().waitFor()
  const later = await review(page)
  await later.getByText('Nothing here looks alike').waitFor()
})

test('Of a large set only what is shown goes, and the focus stays where somebody has put it since', async ({ kyoto, openMedia }) => {
  const ada = kyoto.as('ada')
  const collectionIds = [kyoto.collection.id]
  await uploadPicture(ada, 'bowls-of-spices', 900, { name: 'spices.jpg', collectionIds })
  await uploadPicture(ada, 'bowls-of-spices', 480, { name: 'small spices.jpg', collectionIds })
  await uploadPicture(ada, BIRD, 900, { name: 'best.jpg', collectionIds })
  // So small that no server has to make them smaller.
  const copies = Array.from({ length: 29 }, (_, n) => n + 1)
  await Promise.all(copies.map((n) => uploadPicture(ada, BIRD, 240 - n, { name: `copy ${n}.jpg`, collectionIds })))
  const { page } = await openMedia('ada')
  const dialog = await review(page)
  const set = dialog.getByRole('region', { name: 'Set 1 of 2' })
  await set.waitFor()
  expect(await set.getByRole('listitem').count()).toBe(24)
  await set.getByRole('button', { name: 'Show 6 more of this set' }).waitFor()
  await set.getByRole('button', { name: 'Keep the best, move 23 to the trash' }).click()
  await set.getByRole('button', { name: 'Keep the best, move 6 to the trash' }).waitFor()
  expect(await set.getByRole('listitem').count()).toBe(7)
  const other = dialog.getByRole('checkbox', { name: 'Keep small spices.jpg' })
  await other.click()
  const { body } = await ada.get(`/api/asset?collection_id=${kyoto.collection.id}`)
  const rest = body.assets.filter(({ name }: { name: string }) => /^copy/.test(name))
  await Promise.all(rest.map(({ id }: { id: string }) => ada.delete(`/api/asset/${id}`)))
  await dialog.getByRole('region', { name: 'Set 1 of 1' }).waitFor()
  expect(await other.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('A search that fails is told, and can be made again', async ({ kyoto, openMedia }) => {
  for (const width of [900, 480]) await uploadPicture(kyoto.as('ada'), BIRD, width, { collectionIds: [kyoto.collection.id] })
  const { page } = await openMedia('ada')
  await page.getByRole('heading', { name: 'Media' }).waitFor()
  await page.evaluate(() => {
    const { sort } = Uint32Array.prototype
    Uint32Array.prototype.sort = () => {
      Uint32Array.prototype.sort = sort
      throw new Error('Out of memory')
    }
  })
  const dialog = await review(page)
  await dialog.getByText('The search for similar photos has failed.').waitFor()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByRole('region', { name: 'Set 1 of 1' }).waitFor()
  expect(await dialog.getByText('has failed').count()).toBe(0)
})

test('As long as photos are missing nothing is said of what looks alike', async ({ kyoto, openPage }) => {
  const { collection, sql } = kyoto
  await grow(sql, { collectionId: collection.id, userId: collection.user_id, from: 0, to: 4 * LIMITS.defaultPageSize })
  // Photos that cannot be compared.
  await sql`update assets set thumbhash = null where user_id = ${collection.user_id}`
  const { page } = await openPage({ as: kyoto.as('bob') })
  await page.route(/\/api\/asset\?.*cursor=/, () => {})
  await page.goto(`/collections/media?c=${collection.id}`)
  await tiles(page).first().waitFor()
  const dialog = await review(page)
  await dialog.getByText('Still loading').waitFor()
  await dialog.getByText('Not all photos of this collection are loaded yet.').waitFor()
  expect(await dialog.getByText('Nothing here looks alike').count()).toBe(0)
})
