import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { noise, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { focusedName } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

const test = app
  .extend('kyoto', { scope: 'file' }, async () => {
    const kyoto = await world()
    await fill(kyoto)
    return kyoto
  })
  .extend('page', async ({ kyoto, openPage }) => (await openPage({ as: kyoto.as('ada') })).page)

/** On a busy machine what a person waits a moment for takes longer. */
const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })

/** Two events, two notes and three files; Mia is in one of each. */
async function fill(kyoto: World): Promise<void> {
  const actor = kyoto.as('ada')
  const collectionIds = [kyoto.collection.id]
  const made = await actor.post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Mía' })
  const peopleIds = [made.body.person.id as string]
  const posts = [
    { type: 'event', kind: 'trip', title: 'Over the pass', body: '<p>Snow on Žďár hill</p>', peopleIds },
    { type: 'event', kind: 'birthday', title: 'Forty candles' },
    { type: 'note', kind: 'idea', title: '100% wool', body: '<p>for socks</p>' },
    { type: 'note', kind: 'journal', title: 'A quiet day' },
  ]
  for (const [index, post] of posts.entries()) {
    await actor.post('/api/post', { ...post, collectionIds, date: `2024-03-0${index + 1}T10:00:00Z`, datePrecision: 'minute' })
  }
  const files = [
    { name: 'temple.pdf', type: 'application/pdf', peopleIds },
    { name: 'train.mp3', type: 'audio/mpeg' },
    { name: 'tickets.txt', type: 'text/plain' },
  ]
  for (const file of files)
    await upload(actor, noise(400), { ...file, collectionIds, date: '2024-04-01T10:00:00Z', datePrecision: 'minute' })
}

/** Three files of one day in a collection of their own, of which the first and the last are found by “beach”. */
async function beach(kyoto: World) {
  const actor = kyoto.as('ada')
  const collectionId: string = (await actor.post('/api/collections', { name: 'Lisbon' })).body.collection.id
  const when = (hour: number) => ({ date: `2024-05-01T${hour}:00:00Z`, datePrecision: 'minute' as const })
  const file = async (name: string, hour: number) =>
    (await upload(actor, noise(400), { name, type: 'text/plain', collectionIds: [collectionId], ...when(hour) })).id
  const first = await file('first beach.txt', 10)
  await file('middle.txt', 11)
  return { collectionId, first, last: await file('last beach.txt', 12) }
}

const open = (page: Page, { collection }: World, view: string, query = '') => page.goto(`/collections/${view}?c=${collection.id}${query}`)
const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search this collection' })

test('Search words filter the timeline in any case, accents and order, and stay in the URL', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline')
  await poll(() => titles(page)).toContain('A quiet day')
  await search(page).fill('ZDAR over')
  await poll(() => titles(page)).toEqual(['Over the pass'])
  await poll(() => asked(page, 'q')).toBe('ZDAR over')
  await search(page).fill('mia')
  await poll(() => titles(page)).toEqual(['Over the pass'])
  await search(page).fill('100%')
  await poll(() => titles(page)).toEqual(['100% wool'])
  for (const odd of ['%', '_', '\\', '"', "'"]) {
    await search(page).fill(`zzz${odd}`)
    await page.getByRole('heading', { name: /^No items match/ }).waitFor()
  }
  await search(page).fill('x'.repeat(10_000))
  await page.getByRole('heading', { name: /^No items match/ }).waitFor()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await poll(() => titles(page)).toContain('A quiet day')
  await poll(() => asked(page, 'q')).toBeNull()
})

test('A filter shows how many items it would leave and leaves that many', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline')
  await page.getByRole('button', { name: 'Filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  await filters
    .getByRole('button', { name: 'Events , 2' })
    .or(filters.getByRole('button', { name: 'Events, 2' }))
    .click()
  await poll(() => titles(page)).toEqual(['Forty candles', 'Over the pass'])
  await filters.getByRole('button', { name: /^Trip/ }).click()
  await poll(() => titles(page)).toEqual(['Over the pass'])
  await poll(() => filters.getByRole('button', { name: /^Birthday/ }).textContent()).toMatch(/1$/)
  await filters.getByRole('button', { name: 'Clear Events' }).click()
  await poll(() => titles(page)).toHaveLength(2)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove filter Events' }).click()
  await poll(() => titles(page)).toContain('A quiet day')
})

test('Filters survive another view, a reload, Back and a link, and are cleared by another collection', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: /^Mía/ }).click()
  await page.keyboard.press('Escape')
  await poll(() => titles(page)).toEqual(['Over the pass'])
  await page.getByRole('link', { name: 'Media' }).first().click()
  const files = () => page.getByRole('button', { name: /temple|train|tickets/ }).count()
  await poll(files).toBe(1)
  await page.reload()
  await poll(files).toBe(1)
  const shared = page.url()
  await page.goBack()
  await page.goBack()
  await poll(() => titles(page)).toContain('A quiet day')
  await page.goto(shared)
  await poll(files).toBe(1)

  await kyoto.as('ada').post('/api/collections', { name: 'Elsewhere' })
  await page.reload()
  await page
    .getByRole('button', { name: /Collection: Kyoto/ })
    .first()
    .click()
  await page.getByRole('option', { name: 'Elsewhere' }).click()
  await page.getByText('No photos yet').waitFor()
  expect(asked(page, 'people')).toBeNull()
})

test('An opened item is followed by those that match the filters', async ({ kyoto, page }) => {
  const items = await beach(kyoto)
  for (const [view, query] of [
    ['timeline', ''],
    ['calendar', '&on=2024-05&day=2024-05-01'],
  ]) {
    await page.goto(`/collections/${view}?c=${items.collectionId}&q=beach${query}`)
    await page.getByRole('button', { name: /^(Open|File) last beach/ }).click()
    await page.locator('.yarl__portal').waitFor()
    await page.keyboard.press('ArrowRight')
    await poll(() => asked(page, 'item')).toBe(items.first)
  }
})

test('An opened item stays open when it no longer matches the search, and closed it stays closed', async ({ kyoto, page }) => {
  const items = await beach(kyoto)
  await page.goto(`/collections/media?c=${items.collectionId}&q=last`)
  await page.getByRole('button', { name: /^(Open|File) last beach/ }).click()
  await page.locator('.yarl__portal').waitFor()
  expect((await kyoto.as('ada').put(`/api/asset/${items.last}`, { name: 'other.txt' })).status).toBe(200)
  await page.getByText('No items match “last”').waitFor({ state: 'attached' })
  await page.locator('.yarl__portal').getByText('other.txt').first().waitFor()
  await page.keyboard.press('Escape')
  await poll(() => asked(page, 'item')).toBeNull()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await page.getByRole('button', { name: /other\.txt/ }).waitFor()
  expect(await page.locator('.yarl__portal').count()).toBe(0)
})

test('A URL with invalid filters applies the valid ones', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline', '&type=%3Cscript%3E,post&event=none&people=me')
  await poll(() => titles(page)).toContain('A quiet day')
  await poll(() => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem').count()).toBe(1)
})

test('A filter by a person who is merged into another shows nothing until it is removed', async ({ kyoto: { as }, page }) => {
  const ada = as('ada')
  const { id } = (await ada.post('/api/collections', { name: 'Nara' })).body.collection
  const add = async (name: string) => (await ada.post(`/api/collections/${id}/people`, { name })).body.person.id as string
  const [granny, grandma] = [await add('Granny'), await add('Grandma')]
  const note = (title: string, peopleIds: string[]) => ada.post('/api/post', { type: 'note', title, collectionIds: [id], peopleIds })
  await note('With her', [granny])
  await note('Without her', [])
  await page.goto(`/collections/timeline?c=${id}&people=${granny}`)
  await page.getByRole('button', { name: 'Remove filter Granny' }).waitFor()
  await poll(() => titles(page)).toEqual(['With her'])
  await ada.post(`/api/collections/${id}/people/${granny}/merge`, { intoId: grandma })
  await page.getByRole('heading', { name: 'No items match the filters' }).waitFor()
  await page.getByRole('button', { name: 'Remove filter Somebody' }).click()
  await poll(async () => (await titles(page)).toSorted()).toEqual(['With her', 'Without her'])
})

test('Filters that match nothing can be cleared from the empty view', async ({ kyoto, page }) => {
  await open(page, kyoto, 'media', '&type=video')
  await page.getByRole('heading', { name: 'No items match the filters' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: /temple/ }).waitFor()
  await poll(() => asked(page, 'type')).toBeNull()
})

test('A search that finds only posts does not say in Media that no items match', async ({ kyoto, page }) => {
  await open(page, kyoto, 'media', '&q=wool')
  await page.getByRole('heading', { name: 'No matching photos, videos or files' }).waitFor()
  await search(page).fill('nothing like it')
  await page.getByRole('heading', { name: 'No items match “nothing like it”' }).waitFor()
})

test('Keys alone search and filter', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline')
  await poll(() => titles(page)).toContain('A quiet day')
  await search(page).waitFor()
  await page.keyboard.press('/')
  await poll(() => search(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('wool n')
  await page.getByRole('heading', { name: 'No items match “wool n”' }).waitFor()
  await page.keyboard.press('Escape')
  await poll(() => titles(page)).toContain('A quiet day')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await poll(() => asked(page, 'type')).toBeTruthy()
  await page.keyboard.press('Escape')
  await poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Filters/)
})

test('Clearing the search or a filter by keys leaves the focus with the rest of them', async ({ kyoto, page }) => {
  await open(page, kyoto, 'timeline', '&type=post,file')
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('button')
  await poll(() => chips.count()).toBe(2)
  await chips.first().press('Enter')
  await poll(() => chips.count()).toBe(1)
  await poll(() => focusedName(page)).toMatch(/^Remove filter/)
  await page.keyboard.press('Enter')
  await poll(() => focusedName(page)).toMatch(/^Filters/)
  await search(page).fill('wool')
  await page.getByRole('button', { name: 'Clear search' }).press('Enter')
  await poll(() => focusedName(page)).toBe('Search this collection')

  await page.getByRole('button', { name: 'Filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  const inFilters = () => filters.evaluate((element) => element.contains(document.activeElement))
  for (const clear of ['Clear Events', 'Clear all']) {
    await filters.getByRole('button', { name: /^Trip/ }).press('Enter')
    await filters.getByRole('button', { name: clear }).press('Enter')
    await filters.getByRole('button', { name: clear }).waitFor({ state: 'detached' })
    await poll(inFilters).toBe(true)
  }
  await page.keyboard.press('Escape')
  await search(page).fill('nothing like it')
  await page.getByRole('heading', { name: /^No items match/ }).waitFor()
  await page.getByRole('button', { name: 'Clear search' }).last().press('Enter')
  await poll(() => titles(page)).toContain('A quiet day')
  await poll(() => focusedName(page)).toMatch(/^Filters/)
})

test('A finger on a phone searches and filters in a sheet', async ({ kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada'), viewport: PHONE, hasTouch: true, isMobile: true })
  await open(page, kyoto, 'timeline')
  await poll(() => titles(page)).toContain('A quiet day')
  await page.getByRole('button', { name: 'Search and filters' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Search and filters' })
  await sheet.getByRole('button', { name: /^Notes/ }).tap()
  await sheet.getByRole('searchbox').fill('wool')
  await sheet.getByRole('button', { name: 'Show 1 item' }).tap()
  await sheet.waitFor({ state: 'hidden' })
  await poll(() => titles(page)).toEqual(['100% wool'])
  await page.getByRole('button', { name: /Search and filters.*2/ }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear all' }).tap()
  await poll(() => titles(page)).toContain('A quiet day')
})
