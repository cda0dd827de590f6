import { expect } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { type Person, PHONE } from '../support/people.ts'
import { middleOf } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** Where the map looks, and what narrows it, stand in the address. */

const test = app
  .extend('browserArgs', { scope: 'file' }, MAP_ARGS)
  .extend('kyoto', async () => {
    const kyoto = await world()
    const placed = { location: { lat: 48.2, lon: 16.37 }, collectionIds: [kyoto.collection.id] }
    await upload(kyoto.as('ada'), jpegLike(), placed)
    await kyoto.as('ada').post('/api/post', { type: 'note', title: 'Coffee in the old town', ...placed })
    return kyoto
  })
  /** Looks at Spain, where nothing is. */
  .extend('visit', ({ kyoto, openPage }) => async (): Promise<Person> => {
    const person = await openPage({
      as: kyoto.as('ada'),
      at: `/collections/map?c=${kyoto.collection.id}&at=40,-3,5`,
      reducedMotion: 'reduce',
    })
    return person
  })

test('The map’s position and zoom stay in the URL and survive a reload', async ({ kyoto, visit }) => {
  const { page } = await visit()
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
  await page.goto(`/collections/map?c=${kyoto.collection.id}&at=nonsense`)
  await page
    .getByRole('button', { name: /near Vienna/ })
    .first()
    .waitFor()
})

test.for([
  { first: 'filter', back: '40,-3,5' },
  { first: 'map', back: '40,-3,6' },
])('A filter chosen while the map moves stays, and Back restores the position: $first first', async ({ first, back }, { kyoto, visit }) => {
  const { page } = await visit()
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
  await expect.poll(asked).toEqual({ c: kyoto.collection.id, at: back })
})

test('A map’s position stays with its collection when another is chosen at once', async ({ kyoto, visit }) => {
  const lisbon = (await kyoto.as('ada').post('/api/collections', { name: 'Lisbon' })).body.collection
  await upload(kyoto.as('ada'), jpegLike(), { location: { lat: 38.7, lon: -9.14 }, collectionIds: [lisbon.id] })
  const { page } = await visit()
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
})

test('A wheel and two fingers zoom the map', async ({ kyoto, openPage }) => {
  for (const options of [{}, { viewport: PHONE, hasTouch: true, isMobile: true }]) {
    const at = `/collections/map?c=${kyoto.collection.id}&at=48.2,16.37,7`
    const { page } = await openPage({ as: kyoto.as('ada'), at, reducedMotion: 'reduce', ...options })
    const { x, y } = await middleOf(page.locator('[data-pin]').first())
    await page.locator('.maplibregl-map[data-drawn]').first().waitFor()
    if ('hasTouch' in options) {
      const session = await page.context().newCDPSession(page)
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: apart === undefined ? [] : [-apart, apart].map((off, id) => ({ x: x + off, y: y + 60, id })),
        })
      await send('touchStart', 20)
      for (let apart = 30; apart <= 120; apart += 10) await send('touchMove', apart)
      await send('touchEnd')
    } else {
      await page.mouse.move(x, y + 60)
      await page.mouse.wheel(0, -500)
    }
    const zoom = () => Number(new URL(page.url()).searchParams.get('at')?.split(',')[2])
    await expect.poll(zoom, { timeout: 30_000 }).toBeGreaterThan(7.3)
  }
})

const EUROPE = [
  { lat: 60, lon: -10 },
  { lat: 60, lon: 40 },
  { lat: 36, lon: -10 },
  { lat: 36, lon: 40 },
]
const WORLD = [
  { lat: 37, lon: -122 },
  { lat: -23, lon: -67 },
  { lat: 52, lon: -3 },
  { lat: 35.7, lon: 139.7 },
]
const ON_PHONE = { viewport: PHONE, hasTouch: true, isMobile: true }

test.for([
  { of: 'Europe', size: 'desktop', places: EUROPE, options: {} },
  { of: 'Europe', size: 'phone', places: EUROPE, options: ON_PHONE },
  { of: 'the world', size: 'phone', places: WORLD, options: ON_PHONE },
])(
  'The first view of a map of $of on a $size has every pin whole, beside its buttons',
  async ({ places, options }, { kyoto, openPage }) => {
    const ada = kyoto.as('ada')
    const { id } = (await ada.post('/api/collections', { name: 'Europe' })).body.collection
    for (const location of places) {
      for (const title of ['One', 'Two']) await ada.post('/api/post', { type: 'note', title, location, collectionIds: [id] })
    }
    await ada.post('/api/post', { type: 'note', title: 'Nowhere', collectionIds: [id] })
    const { page } = await openPage({ as: ada, at: `/collections/map?c=${id}`, reducedMotion: 'reduce', ...options })
    const pins = page.locator('[data-pin=cluster]')
    await expect.poll(() => pins.count(), { timeout: 30_000 }).toBe(places.length)
    await page.getByRole('button', { name: '1 post has no place' }).waitFor()
    const hidden = () =>
      pins.evaluateAll((all) =>
        all.flatMap((pin) => {
          // With the count at its corner.
          const boxes = [pin, ...pin.querySelectorAll('span')].map((element) => element.getBoundingClientRect())
          return boxes.flatMap(({ left, right, top, bottom }) =>
            [left + 2, right - 2].flatMap((x) =>
              [top + 2, bottom - 2].flatMap((y) => {
                const over = document.elementFromPoint(x, y)
                return over?.closest('[data-pin], canvas, .maplibregl-canvas-container')
                  ? []
                  : [`${x} ${y} ${over?.outerHTML.slice(0, 80)}`]
              }),
            ),
          )
        }),
      )
    await expect.poll(hidden, { timeout: 30_000 }).toEqual([])
  },
)

test('The list beside the map says that the map loads until it knows what is in view', async ({ kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada') })
  const blocked = Promise.withResolvers<void>()
  await page.route(/maplibre/, async (route) => {
    await blocked.promise
    await route.continue()
  })
  await page.goto(`/collections/map?c=${kyoto.collection.id}`)
  const list = page.getByRole('region', { name: 'Items on the map' })
  await list.getByText('Loading…').waitFor()
  expect(await list.getByText(/\d of \d|No items/).count()).toBe(0)
  blocked.resolve()
  await list.getByText('2 of 2').waitFor()
})
