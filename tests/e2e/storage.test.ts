import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { jpegLike, noise, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { dropFiles } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

const allow = (w: World, owner: string, bytes: number) => w.sql`insert into quotas (owner, bytes, items) values (${owner}, ${bytes}, 1000)
  on conflict (owner) do update set bytes = excluded.bytes`

const test = app
  .extend('kyoto', () => world({ bob: 'write' }))
  .extend('file', ({ folder }) => async (name: string, size: number) => {
    const where = path.join(folder, name)
    await writeFile(where, noise(size))
    return where
  })

test('The profile and the settings of a collection show how full they are, and what to do before they are full', async ({
  kyoto,
  openPage,
}) => {
  await upload(kyoto.as('ada'), jpegLike(46_000), { collectionIds: [kyoto.collection.id] })
  await allow(kyoto, kyoto.as('ada').id, 50_000)
  await allow(kyoto, kyoto.collection.id, 46_000)
  const { page } = await openPage({ as: kyoto.as('ada'), at: '/profile/settings' })
  const own = page.getByRole('region', { name: 'Storage' })
  await own.getByText('46 KB of 50 KB').waitFor()
  await own.getByText('1 of 1,000 posts and files').waitFor()
  await own.getByText('Almost full. Move what you no longer need to the trash and delete it there').waitFor()
  await own.getByRole('link', { name: 'Open trash' }).click()
  await page.getByRole('dialog', { name: 'Trash' }).waitFor()

  await page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  const shared = page.getByRole('region', { name: 'Storage' })
  await shared.getByText('46 KB of 46 KB').waitFor()
  await shared.getByText('Full: nothing can be added. Remove what is not needed from this collection').waitFor()
})

/** States of the uploads that a reload would find. */
const statesOnDevice = (page: Page, userId: string) =>
  page.evaluate((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    const open = indexedDB.open(name)
    open.onerror = reject
    open.onsuccess = () => {
      const items = open.result.transaction('items').objectStore('items').getAll()
      items.onerror = reject
      items.onsuccess = () => {
        open.result.close()
        resolve(items.result.map(({ state }) => state))
      }
    }
    return promise
  }, `cairn-uploads-${userId}`)

test('A file that does not fit stays in the list with the reason, and arrives once there is room', async ({ kyoto, openPage, file }) => {
  await allow(kyoto, kyoto.as('ada').id, 10_000)
  const { page } = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet').waitFor()
  await dropFiles(page, [await file('first.txt', 9_500)])
  await page.getByText('Your storage is 95 % full').first().waitFor()
  await dropFiles(page, [await file('second.txt', 5_000)])
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('This does not fit: your account may hold 10 KB. See Storage in the settings.').waitFor()
  // The browser takes a moment to store a file.
  await expect.poll(() => statesOnDevice(page, kyoto.as('ada').id)).toEqual(['failed'])
  await page.reload()
  await tray.getByRole('button', { name: 'Show list' }).click()
  await tray.getByText('your account may hold 10 KB').waitFor()
  await allow(kyoto, kyoto.as('ada').id, 20_000)
  await tray.getByRole('button', { name: 'Try second.txt again' }).click()
  await expect.poll(async () => (await kyoto.as('ada').get('/api/usage')).body.usage.bytes).toBe(14_500)
})

test('Own items are deleted from the trash permanently, those of others can only be restored', async ({ kyoto, openPage }) => {
  const files = [jpegLike(1_000), jpegLike(2_000)]
  const own = await Promise.all(
    files.map((bytes, n) => upload(kyoto.as('ada'), bytes, { name: `own-${n}.jpg`, collectionIds: [kyoto.collection.id] })),
  )
  const bobs = await upload(kyoto.as('bob'), jpegLike(500), { name: 'bobs.jpg', collectionIds: [kyoto.collection.id] })
  for (const { id } of [...own, bobs]) await kyoto.as('ada').delete(`/api/asset/${id}`)
  const { page } = await openPage({ as: kyoto.as('ada'), at: '/collections?trash=open' })
  const list = page.getByRole('list', { name: 'Deleted items' })
  const dialog = page.getByRole('dialog', { name: 'Trash' })
  const name = (file: string) => list.getByRole('checkbox', { name: `Select ${file}` })
  await name('own-0.jpg').waitFor()
  await name('bobs.jpg').check()
  expect(await dialog.getByRole('button', { name: 'permanently' }).count()).toBe(0)
  await name('own-0.jpg').check()
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('dialog', { name: 'Delete 1 item permanently?' }).getByRole('button', { name: 'Delete permanently' }).click()
  await name('own-0.jpg').waitFor({ state: 'detached' })
  await page.getByText('1 item deleted permanently').first().waitFor()
  await page.reload()
  await name('own-1.jpg').waitFor()
  expect(await name('own-0.jpg').count()).toBe(0)

  await dialog.getByRole('button', { name: 'Empty trash' }).click()
  await page.getByRole('dialog', { name: 'Empty the trash?' }).getByRole('button', { name: 'Empty trash' }).click()
  await page.getByText('Trash emptied').first().waitFor()
  expect(await list.getByRole('listitem').count()).toBe(1)
  await name('bobs.jpg').waitFor()
  expect((await kyoto.as('ada').get('/api/usage')).body.usage.bytes).toBe(0)
})

test('Items in no collection can be put into one, or into the trash', async ({ kyoto, openPage }) => {
  for (const name of ['lake.jpg', 'hill.jpg']) await upload(kyoto.as('ada'), jpegLike(1_500), { name })
  const { page } = await openPage({ as: kyoto.as('ada'), at: '/profile/settings' })
  await page.getByRole('button', { name: 'Items in no collection…' }).click()
  const dialog = page.getByRole('dialog', { name: 'In no collection' })
  const list = dialog.getByRole('list', { name: 'Items in no collection' })
  await list.getByText('1.5 KB').first().waitFor()
  await list.getByRole('checkbox', { name: 'Select lake.jpg' }).check()
  await dialog.getByRole('button', { name: 'Add to a collection' }).click()
  await page.getByRole('menuitem', { name: 'Kyoto' }).click()
  await page.getByText('1 photo added to Kyoto').first().waitFor()
  await list.getByRole('checkbox', { name: 'Select hill.jpg' }).check()
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  await dialog.getByText('All your posts and files are in a collection.').waitFor()
  const names = async (path: string) => (await kyoto.as('ada').get(path)).body.assets.map(({ name }: { name: string }) => name)
  await expect.poll(() => names(`/api/asset?collection_id=${kyoto.collection.id}`)).toEqual(['lake.jpg'])
  await expect.poll(() => names('/api/trash')).toEqual(['hill.jpg'])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await upload(kyoto.as('ada'), jpegLike(1_500), { name: 'later.jpg' })
  await page.getByRole('button', { name: 'Items in no collection…' }).click()
  await list.getByRole('checkbox', { name: 'Select later.jpg' }).waitFor()
})
