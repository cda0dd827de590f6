import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, dropFiles, PHONE } from '../support/people.ts'
import { shot } from '../support/shots.ts'
import { runMinutesTask } from '../support/storage.ts'
import { world } from '../support/world.ts'

/** Files that one camera made together, added by Ada and seen by Bob, who looks. */

const FILMS = path.resolve(import.meta.dirname, '../fixtures/films')
/** The identifier and the time in `iphone.mov`. */
const ID = '7A1C8E0B-5A0E-4D2C-9C55-0A6B5B1E2F3D'
const DATE = '2020:12:20 00:14:27'

const test = app
  .extend('kyoto', () => world({ bob: 'read', cy: 'write' }))
  .extend('openMedia', ({ kyoto, openPage }) => async (name: string, options: BrowserContextOptions = {}) => {
    return openPage({ as: kyoto.as(name), at: `/collections/media?c=${kyoto.collection.id}`, timezoneId: 'Europe/Zurich', ...options })
  })
  .extend('add', ({ folder }) => async (page: Page, files: Record<string, Uint8Array>, told: string) => {
    const paths = Object.keys(files).map((name) => path.join(folder, name))
    for (const at of paths) await writeFile(at, files[path.basename(at)] ?? '')
    await page.getByRole('heading', { name: 'Media' }).waitFor()
    await dropFiles(page, paths)
    await page.getByText(told).first().waitFor({ timeout: 90_000 })
  })

const noise = (hue: string) =>
  sharp({ create: { width: 120, height: 80, channels: 3, background: hue } })
    .jpeg()
    .toBuffer()

const film = () => readFile(path.join(FILMS, 'iphone.mov'))
const tiles = (page: Page) => page.getByRole('group', { name: 'Photos, videos and files' }).locator('button[data-index]')
const live = (page: Page) => page.getByRole('button', { name: /^Photo IMG_1\.JPG.*, Live$/ })
const opened = (page: Page) => page.locator('.yarl__slide_current')
/** Moves the mouse onto the photo, where its film plays then. */
async function hover(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  await opened(page).locator('video').waitFor({ state: 'detached' })
  await opened(page).locator('img').first().hover()
  await expect
    .poll(() =>
      opened(page)
        .locator('video')
        .evaluate((video: HTMLVideoElement) => video.currentTime),
    )
    .toBeGreaterThan(0)
}

const livePair = async () => ({
  'IMG_1.JPG': shot(await noise('#468'), { date: DATE, contentId: ID }),
  'IMG_1.MOV': new Uint8Array(await film()),
})

test('A Live Photo is one tile for everyone; hovering plays it, and its parts are there to download', async ({ add, openMedia }) => {
  const ada = await openMedia('ada')
  await add(ada.page, await livePair(), '2 items added')
  await live(ada.page).waitFor()
  await expect.poll(() => tiles(ada.page).count()).toBe(1)

  const { page } = await openMedia('bob')
  await live(page).getByText('Live').waitFor()
  expect(await tiles(page).count()).toBe(1)
  await live(page).click()
  await opened(page).getByRole('button', { name: 'Live' }).waitFor()
  await hover(page)
  await page.getByRole('button', { name: 'Information' }).click()
  const parts = page.getByRole('region', { name: 'Parts' })
  await parts.getByRole('link', { name: /IMG_1\.JPG/ }).waitFor()
  expect(await parts.getByRole('link', { name: /IMG_1\.MOV/ }).getAttribute('href')).toContain('download=1')
  expect(await parts.getByRole('button', { name: 'Unstack' }).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
})

test('The photo and the film of different members become one item, and the author of one of them takes it apart', async ({
  add,
  openMedia,
}) => {
  const files = await livePair()
  const cy = await openMedia('cy')
  await add(cy.page, { 'IMG_1.MOV': files['IMG_1.MOV'] }, '1 video added')
  const ada = await openMedia('ada')
  await tiles(ada.page).first().waitFor()
  await add(ada.page, { 'IMG_1.JPG': files['IMG_1.JPG'] }, '1 photo added')
  await live(cy.page).waitFor()
  await live(cy.page).click()
  await cy.page.getByRole('button', { name: 'Information' }).click()
  await cy.page.getByRole('region', { name: 'Parts' }).getByRole('button', { name: 'Unstack' }).click()
  await cy.page.getByText('Shown as single items again', { exact: true }).waitFor()
  await expect.poll(() => tiles(ada.page).count()).toBe(2)
  await cy.page.getByRole('button', { name: 'Undo' }).click()
  await live(ada.page).waitFor()
})

test('A raw file goes with the JPEG of its name and time, and a burst that says so is one tile', async ({ add, openMedia }) => {
  const { page } = await openMedia('ada')
  const files: Record<string, Uint8Array> = {
    // The name says that it is raw: the bytes of raw files are those of many kinds.
    'P1.DNG': shot(await noise('#123'), { date: '2024:04:30 09:00:01' }),
    'P1.JPG': shot(await noise('#321'), { date: '2024:04:30 09:00:00' }),
  }
  for (const n of [1, 2, 3])
    files[`B${n}.jpg`] = shot(await noise(`#4${n}6`), { date: '2024:05:01 12:00:00', fraction: `${n}00`, burstId: 'B-12345678' })
  await add(page, files, '5 photos added')
  // Otherwise it may take a minute.
  await runMinutesTask()
  await page.getByRole('button', { name: /^Photo P1\.JPG.*, with its RAW file$/ }).waitFor()
  await page.getByRole('button', { name: /^Photo B1\.jpg.*, burst of 3$/ }).waitFor()
  await expect.poll(() => tiles(page).count()).toBe(2)
})

test('Selected photos are stacked on request, go to the trash together, and are unstacked', async ({ add, kyoto, openMedia }) => {
  const { page } = await openMedia('ada')
  const taken = (at: string) => ({ date: `2024:05:01 ${at}` })
  await add(
    page,
    {
      'one.jpg': shot(await noise('#345'), taken('10:00:00')),
      'two.jpg': shot(await noise('#543'), taken('11:00:00')),
      'three.jpg': shot(await noise('#888'), taken('12:00:00')),
    },
    '3 photos added',
  )
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  for (const name of ['one', 'two']) await page.getByRole('button', { name: `Photo ${name}.jpg` }).click({ modifiers: ['Control'] })
  await bar.getByText('2 photos selected').waitFor()
  await bar.getByRole('button', { name: 'Stack' }).click()
  const stack = page.getByRole('button', { name: /^Photo two\.jpg.*, stack of 2$/ })
  await stack.waitFor()
  expect(await tiles(page).count()).toBe(2)
  await stack.click({ modifiers: ['Control'] })
  await bar.getByText('2 photos selected').waitFor()
  await bar.getByRole('button', { name: 'Unstack' }).click()
  await expect.poll(() => tiles(page).count()).toBe(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await stack.waitFor()
  await page.keyboard.press('Delete')
  await page.getByText('2 photos moved to the trash').first().waitFor()
  await expect.poll(async () => (await kyoto.as('ada').get('/api/trash')).body.assets.length).toBe(2)
  expect(await tiles(page).count()).toBe(1)
})

test('A stack that only an admin could make again has no Undo for the author of a part', async ({ add, openMedia }) => {
  const cy = await openMedia('cy')
  await add(cy.page, { 'one.jpg': shot(await noise('#345'), { date: '2024:05:01 10:00:00' }) }, '1 photo added')
  const { page } = await openMedia('ada')
  await add(page, { 'two.jpg': shot(await noise('#543'), { date: '2024:05:01 11:00:00' }) }, '1 photo added')
  for (const name of ['one', 'two']) await page.getByRole('button', { name: `Photo ${name}.jpg` }).click({ modifiers: ['Control'] })
  await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Stack' }).click()
  await cy.page.getByRole('button', { name: /^Photo two\.jpg.*, stack of 2$/ }).click({ modifiers: ['Control'] })
  await cy.page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Unstack' }).click()
  await cy.page.getByText('Shown as single items again', { exact: true }).waitFor()
  expect(await cy.page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('A motion photo plays the film that is in its own file', async ({ add, openMedia }) => {
  const { page } = await openMedia('ada')
  const still = shot(await noise('#765'), { date: '2023:05:01 12:00:00' })
  const moving = new Uint8Array(Buffer.concat([still, await readFile(path.join(FILMS, 'phone.mp4'))]))
  await add(page, { 'PXL_1.MP.jpg': moving }, '1 photo added')
  await page.getByRole('button', { name: /^Photo PXL_1\.MP\.jpg.*, Live$/ }).click()
  await hover(page)
  await page.mouse.move(2, 2)
  await opened(page).locator('video').waitFor({ state: 'detached' })
  const button = opened(page).getByRole('button', { name: 'Live' })
  await button.press('Enter')
  await opened(page).locator('video').waitFor()
  await button.press('Enter')
  await opened(page).locator('video').waitFor({ state: 'detached' })
})

test('Parts are behind their tile in the lightbox of the timeline, in the command palette and among the photos of a post', async ({
  add,
  openMedia,
}) => {
  const { page } = await openMedia('ada')
  await add(page, { ...(await livePair()), 'IMG_2.JPG': shot(await noise('#864'), { date: '2020:12:19 09:00:00' }) }, '3 items added')
  await live(page).waitFor()
  await expect.poll(() => tiles(page).count()).toBe(2)

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Jump to anything' }).fill('IMG_1')
  await expect.poll(() => page.getByRole('option', { name: /IMG_1/ }).count()).toBe(1)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Timeline' }).first().click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.getByRole('button', { name: 'Open IMG_1.JPG' }).click()
  await opened(page).getByRole('button', { name: 'Live' }).waitFor()
  await page.getByRole('button', { name: /^Next/ }).click()
  await page.getByRole('dialog', { name: /IMG_2/ }).waitFor()
  await page.keyboard.press('Escape')
})

test('The film of a photo does not play over what somebody has zoomed into', async ({ add, openMedia }) => {
  const { page } = await openMedia('ada')
  await add(page, await livePair(), '2 items added')
  await live(page).click()
  await hover(page)
  await page.mouse.wheel(0, -400)
  const picture = opened(page).locator('img').first()
  await expect.poll(() => picture.evaluate((img: HTMLElement) => img.getBoundingClientRect().width > img.offsetWidth + 1)).toBe(true)
  await opened(page).locator('video').waitFor({ state: 'detached' })
  expect(await picture.evaluate((img: HTMLElement) => img.matches(':hover'))).toBe(true)
})

test('On a phone a Live Photo plays while a finger rests on it; swiping and pinching do not start it', async ({ add, openMedia }) => {
  const ada = await openMedia('ada')
  const other = shot(await noise('#999'), { date: '2019:01:01 10:00:00' })
  await add(ada.page, { ...(await livePair()), 'OTHER.JPG': other }, '3 items added')
  await live(ada.page).waitFor()

  const { page } = await openMedia('bob', { viewport: PHONE, hasTouch: true, isMobile: true })
  await live(page).tap()
  const film = opened(page).locator('video')
  const picture = opened(page).getByRole('img', { name: 'IMG_1.JPG' })
  const box = await picture.boundingBox()
  if (!box) throw new Error('The picture is not there')
  const middle = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) })

  await touch('touchStart', middle)
  await film.waitFor()
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
  await touch('touchEnd')
  await film.waitFor({ state: 'detached' })
  await picture.waitFor()

  // A second finger comes before the first has rested long enough, or while it does.
  await touch('touchStart', middle)
  await film.waitFor()
  await touch('touchStart', middle, { x: middle.x + 60, y: middle.y })
  await film.waitFor({ state: 'detached' })
  for (const step of [10, 20, 30]) await touch('touchMove', { ...middle, x: middle.x - step }, { ...middle, x: middle.x + 60 + step })
  expect(await film.count()).toBe(0)
  await touch('touchEnd')
  await page.keyboard.press('Escape')
  await live(page).waitFor()
  await live(page).tap()
  await picture.waitFor()

  await touch('touchStart', middle)
  for (let step = 1; step <= 10; step++) await touch('touchMove', { x: middle.x - 18 * step, y: middle.y })
  await touch('touchEnd')
  await opened(page).getByRole('img', { name: 'OTHER.JPG' }).waitFor()
  expect(await page.locator('.yarl__portal video').count()).toBe(0)
})

test('A Live Photo goes with its film into a post, into another collection, to the trash and back, and all its files are downloaded', async ({
  add,
  kyoto,
  openMedia,
}) => {
  const { page } = await openMedia('ada', { acceptDownloads: true })
  const as = kyoto.as('ada')
  const nara = (await as.post('/api/collections', { name: 'Nara' })).body.collection.id
  await add(page, await livePair(), '2 items added')
  await live(page).waitFor()
  const [cover, part] = (await as.get(`/api/asset?collection_id=${kyoto.collection.id}`)).body.assets.flatMap(
    ({ group }: Asset) => group?.assetIds ?? [],
  )

  await as.post('/api/post', { type: 'note', title: 'Snow', collectionIds: [kyoto.collection.id], existingAssetIds: [cover, part] })
  await page.getByRole('link', { name: 'Timeline' }).first().click()
  const card = page.getByRole('article', { name: 'Snow' })
  await card.getByText('Live').waitFor()
  expect(await card.getByRole('button', { name: /^Open .*IMG_1/ }).count()).toBe(1)
  await page.getByRole('link', { name: 'Media' }).first().click()

  await live(page).click({ modifiers: ['Control'] })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await bar.getByRole('button', { name: 'Collections' }).click()
  await page.getByRole('menuitem', { name: /^Add to collections/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to collections' })
  await dialog.getByRole('checkbox', { name: /Nara/ }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const there = async () => (await as.get(`/api/asset?collection_id=${nara}`)).body.assets.map(({ group }: Asset) => group?.kind)
  await expect.poll(there).toEqual(['live', 'live'])

  await bar.getByRole('button', { name: /^Move to trash/ }).click()
  await expect.poll(() => tiles(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await live(page).waitFor()
  await expect.poll(() => tiles(page).count()).toBe(1)

  await live(page).click()
  const names: string[] = []
  page.on('download', (download) => names.push(download.suggestedFilename()))
  await page.getByRole('button', { name: 'Download all 2 files' }).click()
  await expect.poll(() => names.toSorted()).toEqual(['IMG_1.JPG', 'IMG_1.MOV'])
})
