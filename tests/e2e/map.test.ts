import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { beginning, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, dropFiles, newPerson, type Person, PHONE, signInAs } from '../support/people.ts'
import { boxOf, focusedName, middleOf } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

const test = app
  .extend('browserArgs', { scope: 'file' }, MAP_ARGS)
  .extend('kyoto', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
    const kyoto = await world({ cy: 'read' })
    const ada = await newPerson(browser)
    onCleanup(() => ada.context.close())
    await signInAs(ada, kyoto.as('ada'))
    await ada.page.goto(`/collections/media?c=${kyoto.collection.id}`)
    await ada.page.getByText('No photos yet').waitFor()
    await dropFiles(ada.page, FILES)
    await ada.page.getByText('3 photos added').first().waitFor({ timeout: 60_000 })
    await kyoto.as('ada').post('/api/post', post(kyoto, 'Coffee in the old town', VIENNA))
    await kyoto.as('ada').post('/api/post', post(kyoto, 'A walk', null))
    return kyoto
  })
  /** Ids of two photos in Vienna and one in Brno, placed anew for each test. */
  .extend('photos', { auto: true }, async ({ kyoto }): Promise<string[]> => {
    const ada = kyoto.as('ada')
    const { assets } = (await ada.get(`/api/asset?collection_id=${kyoto.collection.id}`)).body
    const ids: string[] = assets.map(({ id }: { id: string }) => id)
    await ada.post('/api/asset/bulk.location', { ids: ids.slice(0, 2), location: VIENNA })
    await ada.post('/api/asset/bulk.location', { ids: ids.slice(2), location: BRNO })
    return ids
  })
  .extend('visit', ({ kyoto, openPage }) => async (who: string, view: string, at = '', options = {}): Promise<Person> => {
    const person = await openPage({
      as: kyoto.as(who),
      at: `/collections/${view}?c=${kyoto.collection.id}${at && `&at=${at}`}`,
      reducedMotion: 'reduce',
      ...options,
    })
    return person
  })
  .extend(
    'locationOf',
    ({ kyoto }) =>
      async (id: string) =>
        (await kyoto.as('ada').get(`/api/asset/${id}`)).body.asset.location,
  )

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const FILES = ['altiplano-salt-lake.jpg', 'colosseum-arches-at-dusk.jpg', 'walkers-on-a-red-dune.jpg'].map((name) =>
  path.join(PICTURES, name),
)
/** Degrees between pins, and pixels per degree at zoom 7, near the equator. */
const STEP = 0.4
const DEGREE = (512 * 2 ** 7) / 360
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const VIENNA = { lat: 48.2, lon: 16.37 }
const BRNO = { lat: 49.2, lon: 16.6 }

/** A renderer in software takes its time. */
const DRAWN = { timeout: 30_000 }

function post(kyoto: World, title: string, location: object | null) {
  return {
    type: 'event',
    title,
    date: '2026-05-01T09:00:00+02:00',
    dateZone: 'Europe/Vienna',
    location,
    collectionIds: [kyoto.collection.id],
  }
}

const cluster = (page: Page) => page.getByRole('button', { name: /^3 items near Vienna/ })
const brno = (page: Page) => page.locator('[data-pin=item]')

test('A cluster opens as a panel, a pin as a card, and both lead to the photo', async ({ photos, visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await cluster(page).click()
  const panel = page.getByRole('region', { name: 'Items on the map' })
  await panel.getByRole('heading', { name: 'Vienna, Austria' }).waitFor()
  expect(await panel.getByRole('list', { name: 'Items here' }).getByRole('listitem').count()).toBe(3)
  expect(new URL(page.url()).searchParams.get('at')).toBe('48.7,16.5,7')
  expect(await axeViolations(page)).toEqual([])
  await panel
    .getByRole('button', { name: /^Photo/ })
    .first()
    .click()
  await page.getByRole('region', { name: 'Lightbox' }).or(page.getByRole('dialog')).first().waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBeTruthy()
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBeNull()
  await page.keyboard.press('Escape')

  await brno(page).click()
  const card = page.getByRole('group', { name: /\.jpg$/ })
  await card.getByText('Brno', { exact: false }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await card.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).toBe(photos[2])
})

test('Shortcuts work while the card of a pin is open', async ({ visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await brno(page).click()
  await page.getByRole('group', { name: /\.jpg$/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
})

test('A search that finds only a file, which has no place, says so and can be cleared', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = (await ada.post('/api/collections', { name: 'Plans' })).body.collection
  await upload(ada, beginning('%PDF-1.7\n'), { name: 'plan.pdf', type: 'application/pdf', collectionIds: [id] })
  const { page } = await openPage({ as: ada, at: `/collections/map?c=${id}&q=plan` })
  await page.getByRole('heading', { name: 'No matching items have a place' }).waitFor(DRAWN)
  await page.getByRole('main').getByRole('button', { name: 'Clear search' }).last().click()
  await page.getByRole('heading', { name: 'No items have a place yet' }).waitFor()
})

test('The list of places opens a post by keys', async ({ visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await cluster(page).waitFor()
  await page
    .getByRole('list', { name: 'Places in view' })
    .getByRole('button', { name: /Vienna, Austria/ })
    .press('Enter')
  await page.getByRole('button', { name: /^Coffee in the old town/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Coffee in the old town' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => focusedName(page)).toMatch(/^Coffee in the old town/)
  await page.getByRole('button', { name: 'Back to all places' }).press('Enter')
  await page.getByRole('list', { name: 'Places in view' }).waitFor()
  await expect.poll(() => focusedName(page)).toBe('In view')
})

test('A pin is dragged to another location, and Undo restores it', async ({ locationOf, photos, visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await cluster(page).waitFor()
  const from = await middleOf(brno(page))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 60, from.y - 40, { steps: 5 })
  await page.mouse.move(from.x - 160, from.y - 80, { steps: 5 })
  await page.mouse.up()
  await page
    .getByText(/1 photo moved to/)
    .first()
    .waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).first().hover()
  await expect.poll(async () => (await locationOf(photos[2] ?? '')).lon).toBeLessThan(BRNO.lon - 0.5)
  expect(await page.getByRole('group', { name: /\.jpg$/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => locationOf(photos[2] ?? '')).toEqual(BRNO)
  await expect.poll(async () => Math.abs((await middleOf(brno(page))).x - from.x)).toBeLessThan(2)
})

test('A post without a location is placed by keys, and Undo removes the location', async ({ kyoto, visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await page.getByRole('button', { name: '1 post has no place' }).press('Enter')
  const tray = page.getByRole('region', { name: 'Items without a place' })
  await tray.getByRole('button', { name: /A walk/ }).press('Space')
  await tray.getByRole('button', { name: 'Place on map' }).press('Enter')
  const cross = page.getByRole('application', { name: /Choose a place for 1 post/ })
  await expect.poll(() => cross.evaluate((element) => element === document.activeElement)).toBe(true)
  const search = page.getByRole('combobox', { name: 'Search for a place' })
  await search.fill('graz')
  await page.getByRole('option', { name: 'Graz, Austria', exact: true }).waitFor()
  await search.press('Enter')
  await page.getByText('Graz, Austria').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page
    .getByText(/1 post moved to/)
    .first()
    .waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).first().hover()
  await tray.waitFor({ state: 'hidden' })
  const placed = async () => {
    const { posts } = (await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)).body
    return posts.find(({ title }: { title: string }) => title === 'A walk').location
  }
  await expect.poll(async () => (await placed())?.lat).toBeCloseTo(47.07, 1)
  expect((await placed()).lon).toBeGreaterThan(15.44)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(placed).toBeNull()
})

test('A click on a dot while a place is chosen only puts the item there', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = (await ada.post('/api/collections', { name: 'Atlantic' })).body.collection
  const note = { type: 'note', collectionIds: [id], datePrecision: 'day', date: '2026-05-01T09:00:00Z' }
  // Far enough from each other to be pins of their own, and too many for all of them to be photos.
  const places = range(-5, 5).flatMap((lat) => range(-5, 5).map((lon) => ({ lat: lat * STEP, lon: lon * STEP })))
  for (const [nth, location] of places.entries()) await ada.post('/api/post', { ...note, title: `Buoy ${nth}`, location })
  const { post } = (await ada.post('/api/post', { ...note, title: 'A dive' })).body
  const { page } = await openPage({ as: ada, at: `/collections/map?c=${id}&at=0,0,7`, reducedMotion: 'reduce' })
  await expect.poll(() => page.locator('[data-pin]').count(), DRAWN).toBe(90)
  const canvas = await boxOf(page.locator('canvas'))
  const at = ({ lat, lon }: { lat: number; lon: number }) => ({
    x: canvas.x + canvas.width / 2 + lon * DEGREE,
    y: canvas.y + canvas.height / 2 - lat * DEGREE,
  })
  const isDot = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.tagName === 'CANVAS'
  const dots = await Promise.all(places.map(async (place) => ((await page.evaluate(isDot, at(place))) ? [place] : [])))
  const [dot] = dots.flat()
  if (!dot) throw new Error('No pin is a dot')
  const card = page.getByRole('group', { name: /^Buoy / })
  await page.mouse.click(at(dot).x, at(dot).y)
  await card.waitFor()
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '1 post has no place' }).click()
  const tray = page.getByRole('region', { name: 'Items without a place' })
  await tray.getByRole('button', { name: /A dive/ }).click()
  await tray.getByRole('button', { name: 'Place on map' }).click()
  await page.getByRole('application', { name: /Choose a place for 1 post/ }).waitFor()
  await page.mouse.click(at(dot).x, at(dot).y)
  const placed = async () => (await ada.get(`/api/post/${post.id}`)).body.post.location
  await expect.poll(async () => (await placed())?.lon, DRAWN).toBeCloseTo(dot.lon, 1)
  await page.getByRole('button', { name: 'Undo' }).first().waitFor()
  expect(await card.count()).toBe(0)
})

test('A photo without a location is dragged onto the map', async ({ kyoto, locationOf, photos, visit }) => {
  await kyoto.as('ada').post('/api/asset/bulk.location', { ids: photos, location: null })
  const { page } = await visit('ada', 'map', '48.7,16.5,7')
  await page.getByRole('button', { name: /have no place/ }).click()
  const tile = page
    .getByRole('list', { name: 'Without a place' })
    .getByRole('button', { name: /^Photo/ })
    .first()
  const from = await middleOf(tile)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 40, from.y - 200, { steps: 4 })
  await page.mouse.move(640, 400, { steps: 4 })
  await page.mouse.up()
  await page
    .getByText(/1 photo moved to/)
    .first()
    .waitFor()
  await expect.poll(async () => (await Promise.all(photos.map(locationOf))).filter(Boolean).length).toBe(1)
})

test('A reader sees every pin of a map and cannot move one', async ({ kyoto, locationOf, photos, visit }) => {
  const { page } = await visit('cy', 'map', '48.7,16.5,7')
  await cluster(page).waitFor()
  expect(await page.getByRole('button', { name: /no place/ }).count()).toBe(0)
  const from = await middleOf(brno(page))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 100, from.y - 60, { steps: 5 })
  await page.mouse.up()
  expect(await locationOf(photos[2] ?? '')).toEqual(BRNO)
  await page.goto(`/collections/map?c=${kyoto.collection.id}&at=48.7,16.5,7`)
  await brno(page).click()
  await page.getByRole('group', { name: /\.jpg$/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Move on map' }).count()).toBe(0)
})

test('The map of a phone follows the dark theme at once', async ({ visit }) => {
  const { page } = await visit('ada', 'map', '48.7,16.5,7', { viewport: PHONE, hasTouch: true, colorScheme: 'light' })
  await cluster(page).waitFor()
  const brightness = async () => {
    const box = { x: 20, y: 330, width: 4, height: 4 }
    const png = await page.screenshot({ clip: box })
    return page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)]))
        const canvas = new OffscreenCanvas(1, 1).getContext('2d')
        canvas?.drawImage(image, 0, 0, 1, 1)
        return canvas?.getImageData(0, 0, 1, 1).data[0] ?? -1
      },
      [...png],
    )
  }
  await expect.poll(brightness, DRAWN).toBeGreaterThan(180)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(brightness, DRAWN).toBeLessThan(80)
  expect(await axeViolations(page)).toEqual([])
})

test('A browser without WebGL shows the list of places and says why', async ({ kyoto, openPage }) => {
  const person = await openPage({ reducedMotion: 'reduce' })
  await person.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await signInAs(person, kyoto.as('ada'))
  await person.page.goto(`/collections/map?c=${kyoto.collection.id}`)
  await person.page.getByText('This browser cannot display maps').waitFor()
  await person.page.getByRole('button', { name: /Vienna, Austria/ }).press('Enter')
  await person.page.getByRole('list', { name: 'Items here' }).waitFor()
  // The focus stays among the places.
  await expect.poll(() => focusedName(person.page)).toBe('Items on the map')
  await person.page.getByRole('button', { name: 'Back to all places' }).press('Enter')
  await person.page.getByRole('button', { name: /Vienna, Austria/ }).waitFor()
  await expect.poll(() => focusedName(person.page)).toBe('Items on the map')
})

test('Land and sea have different colours in light and dark', async ({ visit }) => {
  const { page } = await visit('ada', 'map', '46,0,4')
  await page.locator('canvas').waitFor(DRAWN)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // France beside the Bay of Biscay: two colours fill nearly all of it.
    await expect.poll(() => large(page), DRAWN).toBe(2)
  }
})

/** How many colours have a tenth of the map each. */
async function large(page: Page): Promise<number> {
  const { data } = await sharp(await page.locator('canvas').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += 3) {
    const color = data.readUIntBE(at, 3)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  return [...counts.values()].filter((count) => count * 3 > data.length / 10).length
}
