import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** Where the map looks, and what narrows it, stand in the address. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World

beforeAll(async () => {
  chromium = await openBrowser(MAP_ARGS)
  w = await world()
  const placed = { location: { lat: 48.2, lon: 16.37 }, collectionIds: [w.collection.id] }
  await upload(w.as('ada'), jpegLike(), placed)
  await w.as('ada').post('/api/post', { type: 'note', title: 'Coffee in the old town', ...placed })
})
afterAll(() => chromium?.close())

/** Looks at Spain, where nothing is. */
async function visit(): Promise<Person> {
  const person = await chromium.person({ reducedMotion: 'reduce' })
  await signInAs(person, w.as('ada'))
  await person.page.goto(`/collections/map?c=${w.collection.id}&at=40,-3,5`)
  return person
}

test('position and zoom stay in the address and survive a reload', async () => {
  const { page, context } = await visit()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('40,-3,6')
  await page.reload()
  await page.getByText('No items in this area').waitFor()
  expect(new URL(page.url()).searchParams.get('at')).toBe('40,-3,6')
  await page.getByRole('button', { name: 'Fit to all items' }).click()
  await page
    .getByRole('button', { name: /near Vienna/ })
    .first()
    .waitFor()
  await page.goto(`/collections/map?c=${w.collection.id}&at=nonsense`)
  await page
    .getByRole('button', { name: /near Vienna/ })
    .first()
    .waitFor()
  await context.close()
})

test.each([
  { first: 'filter', back: '40,-3,5' },
  { first: 'map', back: '40,-3,6' },
])('a filter chosen while the map moves stays chosen, and Back leads to where the map was: $first first', async ({ first, back }) => {
  const { page, context } = await visit()
  await page.getByRole('button', { name: 'Filters' }).click()
  const zoomIn = await page.getByRole('button', { name: 'Zoom in' }).elementHandle()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  const choice = await filters.getByRole('button', { name: /^Photos/ }).elementHandle()
  // Both before the page has followed either.
  await page.evaluate(
    (both) => {
      for (const button of both) (button as HTMLElement).click()
    },
    first === 'map' ? [zoomIn, choice] : [choice, zoomIn],
  )
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams)
  await expect.poll(asked).toMatchObject({ type: 'photo', at: '40,-3,6' })
  await page.goBack()
  await expect.poll(asked).toEqual({ c: w.collection.id, at: back })
  await context.close()
})

test('where the map looked stays in its own collection when another one is chosen at once', async () => {
  const lisbon = (await w.as('ada').post('/api/collections', { name: 'Lisbon' })).body.collection
  await upload(w.as('ada'), jpegLike(), { location: { lat: 38.7, lon: -9.14 }, collectionIds: [lisbon.id] })
  const { page, context } = await visit()
  const zoomIn = await page.getByRole('button', { name: 'Zoom in' }).elementHandle()
  await page.getByRole('button', { name: 'Collection: Kyoto' }).click()
  const other = await page.getByRole('dialog', { name: 'Collections' }).getByText('Lisbon').elementHandle()
  // Both before the address says where the map looks.
  await page.evaluate(
    (both) => {
      for (const button of both) (button as HTMLElement).click()
    },
    [zoomIn, other],
  )
  await page
    .getByRole('button', { name: /^Photo / })
    .first()
    .waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ c: lisbon.id })
  await context.close()
})
