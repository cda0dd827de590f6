import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { localSql } from '../../dev/neon.ts'
import { test as app } from '../support/fixtures.ts'
import { dropFiles, PHONE } from '../support/people.ts'
import { boxOf, focusedName } from '../support/reach.ts'
import { objectBytes } from '../support/storage.ts'
import { PASSWORD, world } from '../support/world.ts'

const test = app
  .extend('pictures', { scope: 'file' }, async () => (await readdir(PICTURES)).map((name) => path.join(PICTURES, name)))
  .extend('kyoto', () => world())
  .extend('openMedia', ({ kyoto, openPage }) => async (options: BrowserContextOptions = {}) => {
    const person = await openPage({ as: kyoto.as('ada'), at: `/collections/media?c=${kyoto.collection.id}`, ...options })
    await person.page.getByText(/^No photos yet/).waitFor()
    return person
  })
  .extend('ada', ({ openMedia }) => openMedia())
  .extend('stored', ({ kyoto }) => async (): Promise<Row[]> => {
    return (await localSql(inject('stack').databaseUrl)`
    select a.id, a.name, a.type, a.status, a.checksum from assets a where a.user_id = ${kyoto.as('ada').id} order by a.name`) as Row[]
  })
  /** All of these are ready, once each, and nothing else is there. */
  .extend('expectReady', ({ stored }) => async (count: number): Promise<Row[]> => {
    await expect.poll(async () => (await stored()).filter(({ status }) => status === 'ready').length, { timeout: 120_000 }).toBe(count)
    const rows = await stored()
    expect(rows.filter(({ status }) => status === 'ready')).toHaveLength(count)
    expect(new Set(rows.map(({ checksum }) => checksum)).size).toBe(count)
    return rows
  })
  .extend(
    'ready',
    ({ stored }) =>
      async () =>
        (await stored()).flatMap(({ id, status }) => (status === 'ready' ? [id] : [])),
  )

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

interface Row {
  name: string
  type: string
  status: string
  checksum: string
  id: string
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Ids of what the device holds. To be asked before what has arrived: that leaves the device. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases()).find((one) => one.name?.startsWith('cairn-uploads-'))?.name
    if (!name) return []
    const opening = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const asking = db.transaction('items').objectStore('items').getAllKeys()
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      asking.onsuccess = () => resolve(asking.result)
    })
    db.close()
    return keys.map(String)
  })

test('A reload during an upload loses and duplicates nothing', async ({ ada, expectReady, pictures, ready, stored }) => {
  const { page } = ada
  await dropFiles(page, pictures.slice(0, 16))
  await expect.poll(async () => (await stored()).filter(({ status }) => status === 'ready').length, { timeout: 60_000 }).toBeGreaterThan(2)
  // Files that exist only in the tab's memory are lost with it.
  await expect.poll(async () => new Set([...(await kept(page)), ...(await ready())]).size, { timeout: 60_000 }).toBe(16)
  await page.reload()
  const rows = await expectReady(16)
  expect(rows).toHaveLength(16)
})

test('A closed laptop lid only delays an upload', async ({ ada, expectReady, expectedErrors, pictures, stored }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/)
  const { page, context } = ada
  await dropFiles(page, pictures.slice(16, 28))
  await expect.poll(async () => (await stored()).length, { timeout: 60_000 }).toBeGreaterThan(1)
  await context.setOffline(true)
  await page
    .getByText(/connection|offline/i)
    .first()
    .waitFor()
  await context.setOffline(false)
  await expectReady(12)
})

test('Files that are dropped while the code that uploads cannot be loaded say so', async ({
  expectedErrors,
  kyoto,
  openPage,
  pictures,
}) => {
  expectedErrors.push(/404|dynamically imported module|MIME type/)
  const { page, context } = await openPage({ as: kyoto.as('ada') })
  await context.route(/assets\/uploads-[^/]*\.js/, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'Not found' }))
  await page.goto(`/collections/media?c=${kyoto.collection.id}`)
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  await dropFiles(page, pictures.slice(0, 1))
  await page.getByText('This part of Cairn could not be loaded.').first().waitFor()
})

test('Pausing stops an upload, and resuming continues it', async ({ ada, expectReady, pictures }) => {
  const { page } = ada
  await dropFiles(page, pictures.slice(28, 40))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByRole('button', { name: 'Pause all' }).click()
  await uploads.getByRole('button', { name: 'Resume all' }).click()
  await expectReady(12)
})

test('Keys pause, resume and cancel uploads one after the other, and a screen reader hears no percent', async ({ ada, pictures }) => {
  const { page } = ada
  await page.route('**/api/asset', () => {})
  await dropFiles(page, pictures.slice(0, 3))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  const focused = (name: RegExp) => expect.poll(() => focusedName(page)).toMatch(name)
  await uploads.getByRole('button', { name: 'Pause all' }).press('Enter')
  await focused(/^Resume all$/)
  await page.keyboard.press('Enter')
  await focused(/^Pause all$/)
  expect(await uploads.getByRole('status').textContent()).toBe('Adding 1 of 3')
  expect(await uploads.getByRole('status').getAttribute('aria-live')).toBe('off')

  const rows = uploads.getByRole('listitem')
  const pause = rows.first().getByRole('button', { name: /^Pause / })
  await pause.press('Enter')
  await focused(/^Resume .+\.\w+$/)
  await rows
    .first()
    .getByRole('button', { name: /^Cancel: / })
    .press('Enter')
  await expect.poll(() => rows.count()).toBe(2)
  await focused(/^(Pause|Resume) .+\.\w+$/)
  await uploads.getByRole('button', { name: 'Cancel all' }).press('Enter')
  await uploads.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('Two tabs that upload the same file store it once', async ({ ada, expectReady, kyoto, pictures }) => {
  const other = await ada.context.newPage()
  await other.goto(`/collections/media?c=${kyoto.collection.id}`)
  await other.getByText('No photos yet. Drop some anywhere.').waitFor()
  const same = pictures.slice(40, 43)
  await Promise.all([dropFiles(ada.page, same), dropFiles(other, same)])
  await expectReady(3)
  await expect.poll(() => ada.page.getByRole('button', { name: /^Photo / }).count()).toBe(3)
  await expect.poll(() => other.getByRole('button', { name: /^Photo / }).count()).toBe(3)
})

test('A tab shows what another one sends for it, and pauses and resumes that', async ({ ada, expectReady, kyoto, pictures }) => {
  const other = await ada.context.newPage()
  await other.goto(`/collections/media?c=${kyoto.collection.id}`)
  await other.getByText('No photos yet. Drop some anywhere.').waitFor()
  await ada.context.route('**/api/asset', () => {})
  const uploads = other.getByRole('region', { name: 'Uploads' })
  await dropFiles(ada.page, pictures.slice(0, 2))
  await uploads.getByRole('button', { name: 'Pause all' }).click()
  await uploads.getByRole('button', { name: 'Resume all' }).waitFor()
  await ada.context.unroute('**/api/asset')
  await dropFiles(other, pictures.slice(2, 3))
  await expectReady(1)
  await uploads.getByRole('button', { name: 'Resume all' }).click()
  await expectReady(3)
  await expect.poll(() => uploads.count()).toBe(0)
})

test('A broken photo, a text file named .jpg and an empty file are each reported, and what failed still is after the next file', async ({
  ada,
  expectReady,
  folder,
  pictures,
}) => {
  const { page } = ada
  const broken = path.join(folder, 'broken.jpg')
  const text = path.join(folder, 'letter.jpg')
  const empty = path.join(folder, 'empty.jpg')
  await writeFile(
    broken,
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0]), Buffer.alloc(5_000, 7)]),
  )
  await writeFile(text, 'Dear all, this is not a picture.\n'.repeat(50))
  await writeFile(empty, '')
  await dropFiles(page, [broken, text, empty, pictures[43] ?? ''])
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText(/empty/i).first().waitFor()
  const rows = await expectReady(3)
  expect(rows.map(({ name, type }) => `${name} ${type}`)).toEqual(
    expect.arrayContaining(['broken.jpg image/jpeg', 'letter.jpg text/plain']),
  )
  await page
    .getByRole('button', { name: /letter\.jpg/ })
    .first()
    .waitFor()
  await dropFiles(page, pictures.slice(44, 45))
  await expectReady(4)
  await uploads.getByText('1 could not be added').waitFor()
  await uploads.getByRole('button', { name: 'Show list' }).click()
  await uploads.getByText('The file is empty').waitFor()
})

test('A video larger than a part is uploaded whole in parts', async ({ ada, expectReady, folder }) => {
  const video = path.join(folder, 'waves.mp4')
  const file = await open(video, 'w')
  await file.write(Buffer.from('0000001c6674797069736300000000006973 6f6d6d703432'.replaceAll(' ', ''), 'hex'), 0)
  const chunk = Buffer.alloc(10 * 1024 * 1024)
  for (let i = 0; i < 2; i++) {
    chunk.fill(`${i} ${crypto.randomUUID()} `)
    await file.write(chunk, 0, chunk.length, 28 + i * chunk.length)
  }
  await file.close()
  await dropFiles(ada.page, [video])
  const [row] = await expectReady(1)
  expect(row?.checksum).toBe(await sha256(video))
  const object = await objectBytes(`assets/${row?.id}/original`)
  expect(
    createHash('sha256')
      .update(object ?? '')
      .digest('hex'),
  ).toBe(row?.checksum)
})

test('The upload progress on a phone leaves the New button free', async ({ openMedia, pictures }) => {
  const { page } = await openMedia({ viewport: PHONE, hasTouch: true, isMobile: true })
  await page.route('**/api/asset', () => {})
  await dropFiles(page, pictures.slice(0, 2))
  const tray = await boxOf(page.getByRole('region', { name: 'Uploads' }))
  const add = page.getByRole('button', { name: 'New', exact: true })
  expect(tray.y + tray.height).toBeLessThan((await boxOf(add)).y)
  await add.tap()
  await page.getByRole('menuitem', { name: 'Note' }).waitFor()
})

test('Files dropped before the app has loaded do not replace it', async ({ ada, pictures }) => {
  const { page, context } = ada
  const session = await context.newCDPSession(page)
  const data = { items: [], files: pictures.slice(0, 1), dragOperationsMask: 1 }
  const drop = async () => {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data })
  }
  const app = Promise.withResolvers<void>()
  const asked = page.waitForRequest('**/assets/*.js')
  await page.route('**/assets/*.js', async (route) => {
    await app.promise
    await route.continue()
  })
  await page.goto('/collections', { waitUntil: 'commit' })
  await asked
  await drop()
  app.resolve()
  await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
  await drop()
  await page.getByRole('link', { name: 'Feed' }).first().click()
  await page.waitForURL('**/feed')
})

test('Uploads that a lost session stopped continue once the same user has signed in again', async ({
  ada,
  expectReady,
  expectedErrors,
  kyoto,
  pictures,
}) => {
  expectedErrors.push(/401|ERR_INTERNET_DISCONNECTED/)
  const { page, context } = ada
  await page.route('**/api/asset', (route) => route.abort('internetdisconnected'))
  await dropFiles(page, pictures.slice(28, 32))
  await page.getByText('Waiting for the connection').first().waitFor()
  await context.clearCookies()
  await page.unroute('**/api/asset')
  await page.waitForURL('**/login**')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(kyoto.as('ada').email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectReady(4)
})

test('A file of a collection that was lost is discarded only when asked, and can be added to another one', async ({
  expectedErrors,
  openPage,
  pictures,
}) => {
  expectedErrors.push(/403|404|ERR_INTERNET_DISCONNECTED/)
  const kyoto = await world({ bob: 'write' })
  const bob = kyoto.as('bob')
  const own = (await bob.post('/api/collections', { name: 'Own' })).body.collection.id
  const { page } = await openPage({ as: bob, at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  await page.route('**/api/asset', (route) => route.abort('internetdisconnected'))
  const [picture = ''] = pictures
  await dropFiles(page, [picture])
  await page.getByText('Waiting for the connection').first().waitFor()
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${bob.id}`)
  await page.waitForURL('**/collections')
  await page.unroute('**/api/asset')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText('1 could not be added').waitFor()
  await uploads.getByRole('button', { name: 'Close' }).click()
  const question = page.getByRole('dialog', { name: '1 file has not been saved yet' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await uploads.getByRole('button', { name: `Add to a collection: ${path.basename(picture)}` }).click()
  await page.getByRole('menuitem', { name: 'Own' }).click()
  const names = async () => (await bob.get(`/api/asset?collection_id=${own}`)).body.assets.map(({ name }: Row) => name)
  await expect.poll(names, { timeout: 30_000 }).toEqual([path.basename(picture)])
  await uploads.waitFor({ state: 'detached' })
})

test('Files that were refused are tried again together', async ({ expectedErrors, openPage, pictures }) => {
  expectedErrors.push(/403|ERR_INTERNET_DISCONNECTED/)
  const kyoto = await world({ bob: 'write' })
  const [ada, bob] = [kyoto.as('ada'), kyoto.as('bob')]
  const role = (role: string) => ada.put(`/api/collections/${kyoto.collection.id}/members/${bob.id}`, { role })
  const { page } = await openPage({ as: bob, at: `/collections/media?c=${kyoto.collection.id}` })
  await page.getByText('No photos yet. Drop some anywhere.').waitFor()
  await page.route('**/api/asset', (route) => route.abort('internetdisconnected'))
  await dropFiles(page, pictures.slice(0, 3))
  await page.getByText('Waiting for the connection').first().waitFor()
  await role('read')
  await page.unroute('**/api/asset')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads.getByText('3 could not be added').waitFor()
  await role('write')
  await uploads.getByRole('button', { name: 'Try again', exact: true }).press('Enter')
  expect(await uploads.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  const count = async () => (await bob.get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets.length
  await expect.poll(count, { timeout: 30_000 }).toBe(3)
})
