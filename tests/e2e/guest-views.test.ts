import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { sendWhole } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Guests see the collection of a link in the views of the app. */

const test = app.extend('kyoto', () => world({ stranger: null }))

test('From the page of a link a guest opens its collection in the app, sees changes live and answers', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = kyoto.collection
  const add = async (name: string, hue: string) => {
    const thumb = new Uint8Array(
      await sharp({ create: { width: 300, height: 200, channels: 3, background: hue } })
        .webp()
        .toBuffer(),
    )
    return sendWhole(ada, thumb, { asset: { name, collectionIds: [id] }, thumb })
  }
  await add('garden.webp', '#468')
  await ada.post('/api/post', { type: 'note', title: 'First snow', date: '2026-01-02T10:00:00Z', collectionIds: [id] })
  const link = await makeLink(ada, id, { name: 'For grandma', allows: 'answer' })
  const hers = await openPage({ as: ada, at: `/collections/media?c=${id}` })
  const { page } = await openPage({ viewport: PHONE })
  const refused: string[] = []
  const calls: URL[] = []
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (!url.pathname.startsWith('/api/')) return
    calls.push(url)
    if (response.status() >= 400) refused.push(`${response.status()} ${url.pathname}`)
  })

  await page.goto(link.url)
  await page.getByRole('link', { name: 'Media' }).click()
  await page.getByRole('button', { name: /garden\.webp/ }).waitFor()
  await page.getByText('For grandma').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  expect(await page.getByRole('button', { name: /^(New|Share|Select)/ }).count()).toBe(0)
  expect(await page.getByRole('link', { name: /Settings|Feed/ }).count()).toBe(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }

  await add('temple.webp', '#864')
  await page.getByRole('button', { name: /temple\.webp/ }).waitFor()

  await page.getByRole('button', { name: 'Your name' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Grandma')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Grandma' }).waitFor()
  await page.getByRole('button', { name: /garden\.webp/ }).click()
  expect(await page.getByRole('button', { name: /Download|trash|Share/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Comments', exact: true }).click()
  await page.getByRole('textbox', { name: /comment/i }).fill('How it has grown!')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('article').filter({ hasText: 'Grandma' }).getByText('How it has grown!').waitFor()
  await hers.page.getByRole('button', { name: /^Photo garden\.webp/ }).click()
  await hers.page.getByRole('button', { name: /^Comments/ }).click()
  await hers.page.getByRole('article').filter({ hasText: 'Grandma (guest)' }).getByText('How it has grown!').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await page.reload()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await page.getByRole('link', { name: 'Calendar' }).click()
  await page.getByRole('grid').first().waitFor()
  await page.getByRole('link', { name: 'Map' }).click()
  await page.getByRole('heading', { level: 1, name: 'Map' }).waitFor()

  expect(refused).toEqual([])
  expect(calls.filter(({ searchParams }) => searchParams.get('link') !== link.id)).toEqual([])

  expect((await ada.delete(`/api/collections/${id}/links/${link.id}`)).status).toBe(200)
  await page.getByText('This link shows nothing any more').waitFor()
  await page.reload()
  await page.getByText('This link shows nothing any more').waitFor()
})

test('Who has signed in is a guest in the views of a link, and themselves everywhere else', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = kyoto.collection
  await ada.post('/api/post', { type: 'note', title: 'First snow', date: '2026-01-02T10:00:00Z', collectionIds: [id] })
  const link = await makeLink(ada, id)
  const { page } = await openPage({ as: kyoto.as('stranger') })
  await page.goto(link.url)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  expect(await page.getByRole('button', { name: 'Your name' }).count()).toBe(0)

  await page.goto(`/feed?link=${link.id}`)
  await page.getByRole('heading', { level: 1, name: 'Feed' }).waitFor()
  await page.goto(`/collections/timeline?c=${id}`)
  await page.getByText('Collection not found').waitFor()
})

test('A link that has ended, or was never opened, ends nothing of the member who has signed in', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = kyoto.collection
  await ada.post('/api/post', { type: 'note', title: 'First snow', date: '2026-01-02T10:00:00Z', collectionIds: [id] })
  const [ended, unopened] = [await makeLink(ada, id), await makeLink(ada, id)]
  const { context, page } = await openPage({ as: ada, at: `/collections/timeline?c=${id}` })
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  const stored = () =>
    page.evaluate(async () => ({
      user: JSON.parse(localStorage.getItem('device-user') ?? 'null')?.id,
      content: (await indexedDB.databases()).filter(({ name }) => name?.startsWith('cairn-content-')).length,
      profile: localStorage.getItem('profile') !== null,
      images: (await caches.keys()).filter((name) => name.includes('pictures')).length > 0,
    }))
  await expect.poll(stored).toMatchObject({ user: ada.id, content: 1, profile: true })
  const before = await stored()

  const tab = await context.newPage()
  await tab.goto(ended.url)
  await tab.getByRole('link', { name: 'Timeline' }).click()
  await tab.getByRole('article', { name: 'First snow' }).waitFor()
  await ada.delete(`/api/collections/${id}/links/${ended.id}`)
  await tab.reload()
  await tab.getByText('This link shows nothing any more').waitFor()
  await tab.goto(`/collections/timeline?c=${id}&link=${unopened.id}`)
  await tab.getByText('This link shows nothing any more').waitFor()
  expect(await stored()).toEqual(before)

  await page.reload()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
})

test('Members see a guest by the name that they give, and guests see who is there, but not where', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = kyoto.collection
  const link = await makeLink(ada, id, { allows: 'answer' })
  const hers = (await openPage({ as: ada, at: `/collections/timeline?c=${id}` })).page
  const grandma = (await openPage({})).page
  await grandma.goto(link.url)
  await grandma.getByRole('link', { name: 'Media' }).click()
  const grandpa = (await openPage({ viewport: PHONE })).page
  await grandpa.goto(link.url)
  await grandpa.getByRole('link', { name: 'Timeline' }).click()
  const here = (page: Page) => page.getByRole('list', { name: 'Here now' })
  await here(grandma).getByRole('img', { name: 'Ada Test', exact: true }).waitFor()
  await here(grandma).getByRole('img', { name: 'A guest', exact: true }).waitFor()
  expect(await here(grandma).getByRole('listitem').count()).toBe(2)
  expect(await here(grandma).getByRole('link').count()).toBe(0)
  await expect.poll(() => here(hers).getByRole('img', { name: 'A guest', exact: true }).count()).toBe(2)

  await grandma.getByRole('button', { name: 'Your name' }).click()
  await grandma.getByRole('textbox', { name: 'Name' }).fill('Grandma')
  await grandma.getByRole('button', { name: 'Save' }).click()
  await here(hers).getByRole('img', { name: 'Grandma (guest)', exact: true }).waitFor()
  await grandpa.getByRole('button', { name: '2 here now' }).click()
  await grandpa.getByRole('menuitem', { name: 'Grandma (guest)', exact: true }).waitFor()
  await grandpa.getByRole('menuitem', { name: 'Ada Test', exact: true }).waitFor()
  for (const page of [hers, grandma, grandpa]) expect(await axeViolations(page)).toEqual([])
  await grandma.close()
  await here(hers).getByRole('img', { name: 'Grandma (guest)' }).waitFor({ state: 'detached' })
})

test('A guest who looks at a link sees at once what it has become, and what people are called', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = kyoto.collection
  const { person: ana } = (await ada.post(`/api/collections/${id}/people`, { name: 'Ana' })).body
  await ada.post('/api/post', { type: 'note', title: 'First snow', collectionIds: [id], peopleIds: [ana.id] })
  const link = await makeLink(ada, id, { name: 'For grandma' })
  const { page } = await openPage({})
  await page.goto(link.url)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await page.getByText('For grandma').waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: /^Ana\b/ }).waitFor()

  await ada.put(`/api/collections/${id}/people/${ana.id}`, { name: 'Anita' })
  await page.getByRole('button', { name: /^Anita\b/ }).waitFor()
  const { person: zoe } = (await ada.post(`/api/collections/${id}/people`, { name: 'Zoe' })).body
  await ada.post('/api/post', { type: 'note', title: 'Rain', collectionIds: [id], peopleIds: [zoe.id] })
  await page.getByRole('button', { name: /^Zoe\b/ }).waitFor()

  await ada.patch(`/api/collections/${id}/links/${link.id}`, { name: 'For grandpa', allows: 'answer' })
  await page.getByText('For grandpa').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Your name' }).waitFor()
  await page
    .getByRole('article', { name: 'First snow' })
    .getByRole('button', { name: /Comment/ })
    .waitFor()
  await ada.patch(`/api/collections/${id}/links/${link.id}`, { name: null })
  await ada.put(`/api/collections/${id}`, { name: 'Kyoto in winter' })
  await page.getByText('Kyoto in winter').waitFor()
})
