import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { MAP_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { finger, focusedName, middleOf, tabTo } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** All that the map does, once with keys alone and once with a finger on a phone. */

const test = app
  .extend('browserArgs', { scope: 'file' }, MAP_ARGS)
  .extend('kyoto', { scope: 'file' }, () => world())
  /** A collection with two items in Vienna, a photo in Brno and a note that has no place, open at the map of them all. */
  .extend(
    'enter',
    ({ kyoto, openPage }) =>
      async (options: BrowserContextOptions = {}): Promise<Person & { locationOf: (name: string) => Promise<typeof BRNO | null> }> => {
        const ada = kyoto.as('ada')
        const { body } = await ada.post('/api/collections', { name: 'Danube' })
        const id: string = body.collection.id
        const photo = (name: string, location: object) =>
          upload(ada, jpegLike(), { name, width: 40, height: 30, date: '2024-05-01T10:00:00Z', location, collectionIds: [id] } as object)
        await photo('vienna.jpg', VIENNA)
        await photo('brno.jpg', BRNO)
        const note = { type: 'note', collectionIds: [id], date: '2024-05-01T09:00:00Z' }
        await ada.post('/api/post', { ...note, title: 'Coffee in the old town', location: VIENNA })
        await ada.post('/api/post', { ...note, title: 'A walk' })
        const person = await openPage({ as: ada, at: `/collections/map?c=${id}&at=48.7,16.5,7`, reducedMotion: 'reduce', ...options })
        await person.page.getByRole('button', { name: /^2 items near Vienna/ }).waitFor()
        const locationOf = async (name: string) => {
          const answers = await Promise.all(['post', 'asset'].map((kind) => ada.get(`/api/${kind}?collection_id=${id}`)))
          const rows = answers.flatMap((answer) => answer.body.posts ?? answer.body.assets)
          return rows.find((row) => (row.title ?? row.name) === name).location
        }
        return { ...person, locationOf }
      },
  )

const VIENNA = { lat: 48.2, lon: 16.37 }
const BRNO = { lat: 49.2, lon: 16.6 }

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })

const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const panel = (page: Page) => page.getByRole('region', { name: 'Items on the map' })
const unplaced = (page: Page) => page.getByRole('button', { name: '1 post has no place' })
const cross = (page: Page) => page.getByRole('application', { name: /Choose a place for 1 / })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).first()
/** A toast stays as long as it has the focus. */
const keepToast = (page: Page) => undo(page).focus()
/** Of a tap soon after a drag, a busy Chromium sometimes makes `touchend` but no click. A person taps again. */
const tapUndo = (page: Page) =>
  vi.waitFor(async () => {
    if (await undo(page).isVisible()) await undo(page).tap({ timeout: 2_000 })
    expect(await undo(page).count()).toBe(0)
  }, 30_000)

test('Keys alone move the map, open items, move a pin, place a post and undo it', async ({ enter }) => {
  const { page, locationOf } = await enter()
  await tabTo(page, /^Map of the collection/)
  await page.keyboard.press('ArrowRight')
  await until(() => asked(page, 'at')).not.toBe('48.7,16.5,7')
  await tabTo(page, /^Fit to all items$/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^2 items near Vienna/ }).waitFor()

  await tabTo(page, /^2 items near Vienna/)
  await page.keyboard.press('Enter')
  await panel(page).getByRole('heading', { name: 'Vienna, Austria' }).waitFor()
  await tabTo(page, /^Coffee in the old town/)
  await page.keyboard.press('Enter')
  const reader = page.getByRole('dialog', { name: 'Coffee in the old town' })
  await reader.waitFor()
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await until(() => focusedName(page)).toMatch(/^Coffee in the old town/)
  await page.keyboard.press('Escape')
  await until(() => focusedName(page)).toMatch(/^2 items near Vienna/)

  await tabTo(page, /^Photo brno\.jpg|brno\.jpg.*Brno/)
  await page.keyboard.press('Enter')
  const card = page.getByRole('group', { name: 'brno.jpg' })
  await card.waitFor()
  await tabTo(page, /^Move on map$/)
  await page.keyboard.press('Enter')
  await until(() => cross(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await until(async () => (await locationOf('brno.jpg'))?.lon).toBeLessThan(BRNO.lon - 0.1)
  // The server knows it a moment before the page tells of it.
  await page
    .getByText(/^1 photo moved to /)
    .first()
    .waitFor()
  await page.keyboard.press('Control+z')
  await until(() => locationOf('brno.jpg')).toEqual(BRNO)

  await tabTo(page, /^1 post has no place$/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^A walk|^Note A walk/)
  await page.keyboard.press('Space')
  const tray = page.getByRole('region', { name: 'Items without a place' })
  await tray.getByRole('heading', { name: '1 post chosen' }).waitFor()
  await page.keyboard.press('Escape')
  await tray.waitFor({ state: 'detached' })
  await until(() => focusedName(page)).toBe('1 post has no place')
  await page.keyboard.press('Enter')
  await tray.getByRole('heading', { name: '1 post chosen' }).waitFor()
  await tabTo(page, /^Place on map$/)
  await page.keyboard.press('Enter')
  await until(() => cross(page).evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await cross(page).waitFor({ state: 'detached' })
  await until(() => focusedName(page)).toMatch(/^Map of the collection/)
  expect(await axeViolations(page)).toEqual([])
})

test('A finger on a phone moves the map, opens items, moves a pin and places a post', async ({ enter }) => {
  const { page, locationOf } = await enter({ viewport: PHONE, hasTouch: true, isMobile: true })
  const touch = await finger(page)
  await page.getByRole('button', { name: /^2 items near Vienna/ }).tap()
  await panel(page).getByRole('heading', { name: 'Vienna, Austria' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await panel(page)
    .getByRole('button', { name: /^Coffee in the old town/ })
    .tap()
  const reader = page.getByRole('dialog', { name: 'Coffee in the old town' })
  await reader.getByRole('button', { name: 'Close' }).tap()
  await reader.waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Back to all places' }).tap()
  await panel(page).getByRole('list', { name: 'Places in view' }).getByRole('button').first().waitFor()
  await panel(page).getByRole('button', { name: 'Collapse list' }).tap()

  const pin = page.locator('[data-pin=item]')
  const at = await middleOf(pin)
  // A finger that moves the map takes no pin along.
  await touch.swipe(at, { x: at.x - 40, y: at.y })
  await until(() => asked(page, 'at')).not.toBe('48.7,16.5,7')
  expect(await locationOf('brno.jpg')).toEqual(BRNO)
  await middleOf(pin)
  await pin.tap()
  const card = page.getByRole('group', { name: 'brno.jpg' })
  await card.waitFor()
  const from = await middleOf(pin)
  await touch.swipe(from, { x: from.x + 40, y: from.y + 60 })
  await keepToast(page)
  await until(async () => (await locationOf('brno.jpg'))?.lat).toBeLessThan(BRNO.lat - 0.1)
  await tapUndo(page)
  await until(() => locationOf('brno.jpg')).toEqual(BRNO)

  await unplaced(page).tap()
  const tray = await page.getByRole('region', { name: 'Items without a place' }).boundingBox()
  const newButton = await page.getByRole('button', { name: 'New', exact: true }).boundingBox()
  expect((tray?.y ?? 0) + (tray?.height ?? 0)).toBeLessThanOrEqual(newButton?.y ?? 0)
  const tile = page.getByRole('list', { name: 'Without a place' }).getByRole('button')
  await tile.tap()
  await page.getByRole('button', { name: 'Place on map' }).tap()
  await cross(page).waitFor()
  await page.getByRole('button', { name: 'Place here' }).tap()
  await keepToast(page)
  await until(() => locationOf('A walk')).not.toBeNull()
  await tapUndo(page)
  await until(() => locationOf('A walk')).toBeNull()

  // The same by taking it out of the tray onto the map.
  await unplaced(page).tap()
  const start = await middleOf(tile)
  await touch.down(start)
  await touch.move({ x: start.x, y: start.y - 60 })
  await touch.move({ x: 180, y: 300 })
  await touch.up()
  await until(() => locationOf('A walk')).not.toBeNull()
})
