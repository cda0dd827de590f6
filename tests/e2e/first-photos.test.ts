import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { dropFiles, openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** Photos on the screen share the connection with everything that is fetched ahead. */

const PICTURE = path.resolve(import.meta.dirname, '../../dev/demo/pictures/altiplano-salt-lake.jpg')

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let ada: Person
let address: string

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

beforeEach(async () => {
  w = await world()
  ada = await chromium.person()
  await signInAs(ada, w.as('ada'))
  address = `/collections/media?c=${w.collection.id}`
  await ada.page.goto(address)
  await ada.page.getByText('No photos yet').waitFor()
  await dropFiles(ada.page, [PICTURE])
  await ada.page.getByText('1 photo added').first().waitFor({ timeout: 60_000 })
})
afterEach(async () => {
  expect(ada.errors).toEqual([])
  await ada.context.close()
})

const photo = (page: Page) => page.getByRole('button', { name: /^Photo / })
const THUMBS = '**/renditions/thumb?*'

/** Holds photos back until the returned function is called. */
async function holdPhotos(page: Page): Promise<() => void> {
  const wanted = Promise.withResolvers<void>()
  await page.route(THUMBS, async (route) => {
    await wanted.promise
    await route.continue()
  })
  return wanted.resolve
}

/** What is asked for from now on, in its order. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  return asked
}

test('Scripts of other views are fetched after the photos on the screen', async () => {
  const person = await chromium.person()
  await signInAs(person, w.as('ada'))
  const { page } = person
  const asked = requestsOf(page)
  const release = await holdPhotos(page)
  await page.goto(address)
  await photo(page).waitFor()
  // When a page has nothing else to do it asks for what may be needed later.
  for (const _ of [1, 2]) await page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve)))
  expect(asked.filter((url) => /\/assets\/(calendar|text-editor)-/.test(url))).toEqual([])
  release()
  await expect
    .poll(() => asked.filter((url) => /\/assets\/(calendar|text-editor)-/.test(url)).length, { timeout: 30_000 })
    .toBeGreaterThan(1)
  expect(person.errors).toEqual([])
  await person.context.close()
})
