import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { article, edit, SOON, test, write } from '../support/outbox-scene.ts'

/** The last change can be undone before and after it was sent. */

test('A toast closes by itself after an earlier one was pressed', async ({ ada, open }) => {
  const page = await open(ada.page)
  const undo = page.getByRole('button', { name: 'Undo' })
  await write(page, 'Too early')
  await undo.click()
  await article(page, 'Too early').waitFor({ state: 'detached' })
  await undo.waitFor({ state: 'detached' })
  await write(page, 'In time')
  await undo.waitFor()
  await undo.waitFor({ state: 'detached' })
})

test('Ctrl-Z undoes the last change on a page that has never been idle', async ({ ada, kyoto, titles }) => {
  const { page } = ada
  await page.addInitScript(() => (window.requestIdleCallback = () => 0))
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await write(page, 'In a hurry')
  await article(page, 'In a hurry').waitFor(SOON)
  await page.keyboard.press('Control+z')
  await article(page, 'In a hurry').waitFor({ state: 'detached', ...SOON })
  await expect.poll(titles, SOON).toEqual([])
})

test('Ctrl-Z undoes a change to an open photo and to an open post', async ({ ada, kyoto, open, post, titles }) => {
  for (let i = 0; i < 2; i++) await upload(kyoto.as('ada'), jpegLike(), { width: 40, height: 30, collectionIds: [kyoto.collection.id] })
  await post('To be read')
  const there = async () => (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets.length
  const page = await open(ada.page, 'media')
  await page
    .getByRole('button', { name: /^Photo / })
    .first()
    .click()
  await page.locator('.lightbox').waitFor()
  await page.keyboard.press('Delete')
  await expect.poll(there, SOON).toBe(1)
  await page.keyboard.press('Control+z')
  await expect.poll(there, SOON).toBe(2)
  await open(page)
  await article(page, 'To be read').getByRole('button', { name: 'To be read', exact: true }).click()
  const reader = page.getByRole('dialog', { name: 'To be read' })
  await reader.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit note' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Read')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(titles, SOON).toEqual(['Read'])
  await form.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await expect.poll(titles, SOON).toEqual(['To be read'])
})

test('A toast and Ctrl-Z undo a change before and after it is sent', async ({ ada, kyoto, open, titles }) => {
  for (let i = 0; i < 3; i++) await upload(kyoto.as('ada'), jpegLike(), { width: 40, height: 30, collectionIds: [kyoto.collection.id] })
  const page = await open(ada.page, 'media')
  const photos = page.getByRole('button', { name: /^Photo / })
  await expect.poll(() => photos.count(), SOON).toBe(3)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).pathname))
  await photos.first().focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: /Move to trash/ }).click()
  await page.getByText('3 photos moved to the trash').first().waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).hover()
  await expect.poll(() => photos.count()).toBe(0)
  await expect.poll(() => calls).toEqual(['/api/asset/bulk'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => photos.count(), SOON).toBe(3)
  const there = async () => (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets.length
  await expect.poll(there, SOON).toBe(3)

  await open(page)
  await write(page, 'Written')
  await edit(page, 'Written', { Title: 'Changed' })
  await expect.poll(titles, SOON).toEqual(['Changed'])
  await page.keyboard.press('Control+z')
  await article(page, 'Written').waitFor(SOON)
  await expect.poll(titles, SOON).toEqual(['Written'])
  await page.keyboard.press('Control+z')
  await expect.poll(titles, SOON).toEqual([])
  await article(page, 'Written').waitFor({ state: 'detached', ...SOON })

  await ada.context.setOffline(true)
  await write(page, 'Never left')
  await page.keyboard.press('Control+z')
  await article(page, 'Never left').waitFor({ state: 'detached' })
  await ada.context.setOffline(false)
  expect(await titles()).toEqual([])
})
