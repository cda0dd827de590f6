import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { focusedName } from '../support/reach.ts'
import { test as app, SOON } from '../support/viewer.ts'
import { type World, world } from '../support/world.ts'

/** Bob trashes what Ada has open or selected, and restores it. */

const test = app
  .extend('browserArgs', { scope: 'file' }, MAP_ARGS)
  .extend('kyoto', () => world({ bob: 'admin', cleo: 'write' }))
  .extend('photos', { auto: true }, async ({ kyoto }) => ({ one: await photo(kyoto, 'one', 10), two: await photo(kyoto, 'two', 11) }))
  .extend('ada', ({ kyoto, watch }) => watch(kyoto, 'ada', 'media'))

async function photo(kyoto: World, name: string, hour: number): Promise<string> {
  const more = { name: `${name}.jpg`, width: 40, height: 30, date: `2019-05-03T${hour}:00:00Z`, datePrecision: 'minute' as const }
  return (await upload(kyoto.as('ada'), jpegLike(), { ...more, collectionIds: [kyoto.collection.id] })).id
}

async function note(kyoto: World, title: string, more: object = {}): Promise<string> {
  const { body } = await kyoto.as('ada').post('/api/post', { type: 'note', title, body: '', collectionIds: [kyoto.collection.id], ...more })
  return body.post.id
}

const tile = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Photo ${name}`) })
const asked = (page: Page) => new URL(page.url()).searchParams.get('item')
const gone = (page: Page) => page.getByText('This item is no longer available').first().waitFor(SOON)

test('An open photo that another member trashes closes with a message, and does not open by itself when it returns', async ({
  ada: { page },
  kyoto,
  photos,
}) => {
  await tile(page, 'two').click()
  await page.locator('.yarl__portal').waitFor()
  await kyoto.as('bob').delete(`/api/asset/${photos.two}`)
  await gone(page)
  await expect.poll(() => asked(page)).toBeNull()
  await expect.poll(() => focusedName(page), SOON).toMatch(/^Photo one/)
  await kyoto.as('bob').post('/api/trash/restore', { assetIds: [photos.two] })
  await tile(page, 'two').waitFor(SOON)
  expect(await page.locator('.yarl__portal').count()).toBe(0)
})

test('An open post that another member trashes closes with a message, and the next one has the focus', async ({ kyoto, watch }) => {
  const id = await note(kyoto, 'First snow', { date: '2019-05-02T12:00:00Z', datePrecision: 'day' })
  await note(kyoto, 'Second snow', { date: '2019-05-01T12:00:00Z', datePrecision: 'day' })
  const { page } = await watch(kyoto, 'ada', 'timeline')
  await page.getByRole('article', { name: 'First snow' }).getByRole('button', { name: 'First snow' }).first().click(SOON)
  await page.getByRole('dialog', { name: 'First snow' }).waitFor(SOON)
  await kyoto.as('bob').delete(`/api/post/${id}`)
  await gone(page)
  await expect.poll(() => asked(page)).toBeNull()
  await expect.poll(() => focusedName(page), SOON).toBe('Second snow')
})

test('What a former member added leaves the collection, and nobody promises that the trash has it', async ({ ada: { page }, kyoto }) => {
  const cleo = kyoto.as('cleo')
  await upload(cleo, jpegLike(), { name: 'three.jpg', collectionIds: [kyoto.collection.id] })
  await tile(page, 'three').waitFor(SOON)
  const open = page.getByRole('dialog')
  const cancel = async () => {
    await open.getByRole('button', { name: 'Cancel' }).click()
    await open.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  }
  // Asked until the page has heard who is a member.
  const question = async (name: string) => {
    const dialog = page.getByRole('dialog', { name })
    const isAsked = async () => {
      await tile(page, 'three').focus()
      await page.keyboard.press('x')
      await page.keyboard.press('Delete')
      await open.waitFor()
      if (await dialog.isVisible()) return true
      await cancel()
      return false
    }
    await expect.poll(isAsked, SOON).toBe(true)
    return dialog
  }
  await question('Move 1 photo to the trash?')
  await cancel()
  await kyoto.as('bob').delete(`/api/collections/${kyoto.collection.id}/members/${cleo.id}?items=leave`)
  await expect.poll(() => kyoto.sql`select from members where user_id = ${cleo.id}`).toEqual([])
  const dialog = await question('Remove 1 photo from Kyoto?')
  expect(await dialog.getByText('restored').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('1 photo removed').first().waitFor(SOON)
})

test('A link to a post that was trashed since says so in the timeline', async ({ kyoto, watch }) => {
  const id = await note(kyoto, 'First snow')
  const { page } = await watch(kyoto, 'ada', 'timeline')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Feed/ }).click()
  const link = page.getByRole('main').getByRole('link', { name: 'First snow' })
  await link.waitFor(SOON)
  await kyoto.as('bob').delete(`/api/post/${id}`)
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor(SOON)
  await gone(page)
})

test('A photo that the user trashes while it is open does not say that it is no longer available', async ({ ada: { page } }) => {
  await tile(page, 'two').click()
  await page.locator('.yarl__portal').waitFor()
  await page.keyboard.press('Delete')
  await page.getByText('1 photo moved to the trash').first().waitFor(SOON)
  await page.keyboard.press('Delete')
  await page.locator('.yarl__portal').waitFor({ state: 'detached', ...SOON })
  await expect.poll(() => asked(page)).toBeNull()
  expect(await page.getByText('This item is no longer available').count()).toBe(0)
})

test('A card of the map that closes because its post was trashed stays closed and leaves the focus alone', async ({ kyoto, watch }) => {
  const id = await note(kyoto, 'Here')
  await kyoto.as('ada').post('/api/post/bulk.location', { ids: [id], location: { lat: 48.2, lon: 16.4, name: 'Vienna' } })
  const { page } = await watch(kyoto, 'ada', 'map')
  const card = page.getByRole('group', { name: 'Here' })
  const pin = page.getByRole('button', { name: /Here/ }).first()
  await pin.click({ timeout: 30_000 })
  await card.waitFor(SOON)
  await kyoto.as('bob').delete(`/api/post/${id}`)
  await card.waitFor({ state: 'detached', ...SOON })
  await expect.poll(() => focusedName(page)).toBe('Map of the collection')
  const search = page.getByRole('searchbox', { name: 'Search this collection' })
  await search.focus()
  await kyoto.as('bob').post('/api/trash/restore', { postIds: [id] })
  await pin.waitFor(SOON)
  expect(await card.count()).toBe(0)
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('A click opens a photo after another member trashed all that was selected', async ({ ada: { page }, kyoto, photos }) => {
  await tile(page, 'two').focus()
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.waitFor()
  await kyoto.as('bob').delete(`/api/asset/${photos.two}`)
  await bar.waitFor({ state: 'detached', ...SOON })
  await tile(page, 'one').click()
  await page.locator('.yarl__portal').waitFor(SOON)
})
