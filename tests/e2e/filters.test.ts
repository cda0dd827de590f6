import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noise, upload } from '../support/files.ts'
import { axeViolations, openBrowser, type Person, PHONE, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let kyoto: World
let ada: Person

beforeAll(async () => {
  chromium = await openBrowser()
  kyoto = await world()
  await fill()
  ada = await chromium.person()
  await signInAs(ada, kyoto.as('ada'))
})
afterAll(() => chromium?.close())

/** On a busy machine what a person waits a moment for takes longer. */
const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })

/** Two events, two notes and three files; Mia is in one of each. */
async function fill(): Promise<void> {
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

const open = (page: Page, view: string, query = '') => page.goto(`/collections/${view}?c=${kyoto.collection.id}${query}`)
const titles = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search this collection' })

test('words narrow the timeline, whatever their case, accents and order, and stand in the address', async () => {
  const { page } = ada
  await open(page, 'timeline')
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

test('a choice says how much would remain, and that much remains', async () => {
  const { page } = ada
  await open(page, 'timeline')
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

test('filters survive another view, a reload, Back and a link, and another collection begins without', async () => {
  const { page } = ada
  await open(page, 'timeline')
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

test('an address that nobody could have made is read as far as it can be', async () => {
  const { page } = ada
  await open(page, 'timeline', '&type=%3Cscript%3E,post&event=none&people=me,00000000-0000-4000-8000-000000000000')
  await poll(() => titles(page)).toContain('A quiet day')
  await poll(() => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem').count()).toBe(1)
})

test('what lets nothing through can be cleared from where nothing is', async () => {
  const { page } = ada
  await open(page, 'media', '&type=video')
  await page.getByRole('heading', { name: 'No items match the filters' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: /temple/ }).waitFor()
  await poll(() => asked(page, 'type')).toBeNull()
})

test('by keyboard alone', async () => {
  const { page } = ada
  await open(page, 'timeline')
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

test('on a phone, by touch, in a sheet behind one button', async () => {
  const phone = await chromium.person({ viewport: PHONE, hasTouch: true, isMobile: true })
  await signInAs(phone, kyoto.as('ada'))
  const { page } = phone
  await open(page, 'timeline')
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
  expect([...phone.errors, ...ada.errors]).toEqual([])
  await phone.context.close()
})
