import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { PHONE } from '../support/people.ts'
import { collectionOf } from '../support/rows.ts'
import { PASSWORD, world } from '../support/world.ts'

const test = app
  .extend('kyoto', () => world({ bob: null }))
  .extend('ada', async ({ kyoto, openPage }) => {
    const ada = await openPage({ as: kyoto.as('ada'), at: '/collections', serviceWorkers: 'allow', viewport: PHONE })
    await expect.poll(() => ada.page.evaluate(() => navigator.serviceWorker.controller?.state), WAIT).toBe('activated')
    return ada
  })

/** Fetching the whole app takes a busy machine a while. */
const WAIT = { timeout: 60_000 }

interface Input {
  name: string
  type: string
  value?: string
  multiple?: boolean
  files?: FileList
}

/** As the phone does when somebody shares with the app: a form is posted to the address in the manifest. */
async function share(page: Page, fields: Record<string, string>, pictures: Buffer[] = []): Promise<void> {
  await page.evaluate(
    async ({ fields, pictures }) => {
      const { share_target: target } = await (await fetch('/manifest.webmanifest')).json()
      const form = document.createElement('form')
      Object.assign(form, { action: target.action, method: target.method, enctype: target.enctype })
      const add = (input: Input) => form.append(Object.assign(document.createElement('input'), input))
      for (const [name, value] of Object.entries(fields)) add({ name: target.params[name], value, type: 'hidden' })
      const files = new DataTransfer()
      for (const [n, bytes] of pictures.entries())
        files.items.add(new File([new Uint8Array(bytes)], `größe ${n}.jpg`, { type: 'image/jpeg' }))
      add({ name: target.params.files[0].name, type: 'file', multiple: true, files: files.files })
      document.body.append(form)
      form.submit()
    },
    { fields, pictures: pictures.map((bytes) => [...bytes]) },
  )
  await page.waitForURL('**/share')
}

const picture = (background: string) =>
  sharp({ create: { width: 96, height: 64, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .jpeg()
    .toBuffer()

test('Photos shared from a phone go into the chosen collection', async ({ ada, kyoto }) => {
  const { page } = ada
  const other = await collectionOf(kyoto, 'ada')
  await kyoto.sql`update collections set name = 'Garden' where id = ${other}`
  await page.reload()
  await share(page, { title: '', text: '', url: '' }, [await picture('#555'), await picture('#999')])
  await page.getByRole('img', { name: 'größe 1.jpg' }).waitFor()
  await page.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Garden' })
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.waitForURL(`**/collections/media?c=${other}`)
  const arrived = () => kyoto.sql`select a.name from assets a join asset_collections l on l.asset_id = a.id
    where l.collection_id = ${other} and a.status = 'ready' order by a.name`
  await expect.poll(arrived, WAIT).toEqual([{ name: 'größe 0.jpg' }, { name: 'größe 1.jpg' }])
  await page.goto('/share')
  await page.getByText('Nothing was shared').waitFor()
})

test('Shared text and a link become a draft note, and no script in them runs', async ({ ada, kyoto }) => {
  const { page } = ada
  await share(page, { title: 'A walk', text: '<img src=x onerror=alert(1)>', url: 'https://example.org/walk' })
  await page.getByText('A walk').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('A walk')
  await dialog.getByText('<img src=x onerror=alert(1)>').waitFor()
  await dialog.getByRole('button', { name: 'Post', exact: true }).click()
  const posts = () => kyoto.sql`select p.title, p.body from posts p join post_collections l on l.post_id = p.id
    where l.collection_id = ${kyoto.collection.id}`
  await expect.poll(posts, WAIT).toMatchObject([{ title: 'A walk', body: expect.stringContaining('https://example.org/walk') }])
})

test('Shared content can be discarded, and signing out deletes it', async ({ ada }) => {
  const { page } = ada
  const kept = () => page.evaluate(() => caches.has('cairn-shared'))
  await share(page, { title: 'A walk', text: '', url: '' })
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Nothing was shared').waitFor()
  await expect.poll(kept).toBe(false)
  await share(page, { title: 'Another', text: '', url: '' })
  await page.getByText('Another').waitFor()
  expect(await kept()).toBe(true)
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(kept).toBe(false)
})

test('Shared content that was not added within ten minutes is removed when any page is opened', async ({ ada }) => {
  const { page } = ada
  await share(page, { title: 'A walk', text: '', url: '' }, [await picture('#555')])
  await page.getByText('A walk').waitFor()
  const age = (minutes: number) =>
    page.evaluate(
      async (at) => {
        const cache = await caches.open('cairn-shared')
        const words = await (await cache.match('/shared/words'))?.json()
        await cache.put('/shared/words', Response.json({ ...words, at }))
      },
      Date.now() - minutes * 60_000,
    )
  await age(9)
  await page.goto('/share')
  await page.getByText('A walk').waitFor()
  await age(11)
  await page.goto('/collections')
  await expect.poll(() => page.evaluate(() => caches.has('cairn-shared'))).toBe(false)
  await page.goto('/share')
  await page.getByText('Nothing was shared').waitFor()
})

test('Photos shared after the session has ended by itself wait for a new sign-in', async ({ ada, kyoto }) => {
  const { page, context } = ada
  await context.clearCookies()
  await share(page, { title: '', text: '', url: '' }, [await picture('#555')])
  await page.waitForURL('**/login**')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(kyoto.as('ada').email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/share')
  await page.getByRole('img', { name: 'größe 0.jpg' }).waitFor()
})

test('Shared content is still there once the list of collections could be loaded', async ({ ada, expectedErrors }) => {
  const { page, context } = ada
  expectedErrors.push(/503/)
  await share(page, { title: 'A walk', text: '', url: '' })
  await page.getByText('A walk').waitFor()
  // As on a device that has stored nothing.
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) if (name.startsWith('cairn-content')) indexedDB.deleteDatabase(name)
  })
  const fails = (url: URL) => ['/api/bootstrap', '/api/collections'].includes(url.pathname)
  await context.route(fails, (route) => route.fulfill({ status: 503 }))
  await page.reload()
  await page.getByRole('alert').getByText('Your collections could not be loaded').waitFor()
  await context.unroute(fails)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('A walk').waitFor()
})

test('A browser without the service worker is redirected to the share page', async ({ kyoto }) => {
  const answer = await fetch(`${kyoto.origin}/share`, { method: 'POST', body: new FormData(), redirect: 'manual' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/share')
})
