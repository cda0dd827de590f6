import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { begin, sendParts, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { makeRenditions } from '../support/missing-renditions.ts'
import { PHONE } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** Which picture a screen takes: the small one wherever that is sharp enough. */

const test = app
  .extend('kyoto', { scope: 'file' }, async () => {
    const kyoto = await world()
    const ids: string[] = []
    for (let nth = 0; nth < 4; nth++) ids.push(await photo(kyoto, `p${nth}.jpg`, nth))
    const post = (title: string, existingAssetIds: string[]) =>
      kyoto.as('ada').post('/api/post', { type: 'note', title, ...DATE, existingAssetIds, collectionIds: [kyoto.collection.id] })
    await post('One', ids.slice(0, 1))
    await post('Three', ids.slice(1))
    // As a script brings it: nobody has made it smaller.
    const script = await upload(kyoto.as('ada'), await drawn(SIZE.width, 9), {
      name: 'script.jpg',
      ...SIZE,
      ...DATE,
      collectionIds: [kyoto.collection.id],
    })
    // It stays so, whatever minute's task another test runs.
    await kyoto.sql`delete from missing_renditions where asset_id = ${script.id}`
    return kyoto
  })
  .extend('opened', ({ kyoto, openPage }) => async (deviceScaleFactor: number, viewport: { width: number; height: number }) => {
    const person = await openPage({ as: kyoto.as('ada'), deviceScaleFactor, viewport })
    return person
  })

const SIZE = { width: 2400, height: 1800 }
const DATE = { date: '2026-05-01T10:00:00Z', datePrecision: 'minute' } as const

function drawn(width: number, nth: number): Promise<Uint8Array<ArrayBuffer>> {
  const height = Math.round((width * SIZE.height) / SIZE.width)
  const create = { width, height, channels: 3 as const, background: { r: 40 + nth * 20, g: 120, b: 160 } }
  return sharp({ create })
    .jpeg()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}

async function photo(kyoto: World, name: string, nth: number): Promise<string> {
  const bytes = await drawn(SIZE.width, nth)
  const ada = kyoto.as('ada')
  const { id } = await begin(ada, bytes, { name, ...SIZE, ...DATE, collectionIds: [kyoto.collection.id] })
  await sendParts(ada, id, bytes)
  for (const [rendition, width] of Object.entries({ thumb: 512, preview: 2048 }))
    await ada.put(`/api/asset/${id}/renditions/${rendition}`, await drawn(width, nth), { type: 'image/jpeg' })
  await ada.post(`/api/asset/${id}/complete`)
  return id
}

/** Sources of the photos of a post. */
const taken = (page: Page, title: string) =>
  expect.poll(() =>
    page
      .getByRole('article', { name: title })
      .locator('img')
      .evaluateAll((all) => all.map((img) => /\/(thumb|preview|file)\?/.exec((img as HTMLImageElement).currentSrc)?.[1])),
  )

test('A phone at double density loads the preview for a whole column and thumbs for parts of it', async ({ kyoto, opened }) => {
  const { page } = await opened(2, PHONE)
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await taken(page, 'One').toEqual(['preview'])
  await taken(page, 'Three').toEqual(['thumb', 'thumb', 'thumb'])
  const first = page.getByRole('article', { name: 'Three' }).locator('img').first()
  expect(await first.getAttribute('srcset')).toMatch(/renditions\/thumb\?v=\d+ 640w, .*renditions\/preview\?v=\d+ 2048w$/)
  expect(await first.getAttribute('sizes')).toBe('(max-width: 767px) 75vw, 504px')
  expect(await first.getAttribute('loading')).toBe('lazy')
})

test('A screen at single density loads thumbs for all but the whole column', async ({ kyoto, opened }) => {
  const { page } = await opened(1, { width: 1440, height: 900 })
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}&type=post`)
  await taken(page, 'One').toEqual(['preview'])
  await taken(page, 'Three').toEqual(['thumb', 'thumb', 'thumb'])
})

test('Tiles load thumbs, and the server resizes photos without one', async ({ kyoto, opened }) => {
  const { page } = await opened(2, PHONE)
  const whole: string[] = []
  page.on('request', (request) => /\/file\?/.test(request.url()) && whole.push(request.url()))
  await page.goto(`/collections/media?c=${kyoto.collection.id}`)
  const source = (name: string) =>
    page
      .getByRole('button', { name: `Photo ${name}` })
      .locator('img')
      .getAttribute('src')
  await expect.poll(() => source('p0.jpg')).toMatch(/renditions\/thumb/)
  await expect.poll(() => source('script.jpg')).toMatch(/^\/_image\/w_512\//)
  await page
    .getByRole('button', { name: 'Photo script.jpg' })
    .locator('img')
    .evaluate((img) => (img as HTMLImageElement).decode())
  expect(whole).toEqual([])
})

test('A photo that a script uploaded looks the same as one from a browser once the minute’s task has run', async ({ openPage }) => {
  const kyoto = await world({ bob: 'read' })
  const collectionIds = [kyoto.collection.id]
  const { id } = await upload(kyoto.as('ada'), await drawn(SIZE.width, 5), { name: 'script.jpg', ...DATE, collectionIds })
  const { page } = await openPage({ as: kyoto.as('bob'), at: `/collections/media?c=${kyoto.collection.id}` })
  const tile = page.getByRole('button', { name: 'Photo script.jpg' })
  await tile.waitFor()
  await makeRenditions(kyoto, kyoto.as('ada'), id)
  // The open page follows by itself.
  await drawnFrom(tile.locator('img'), /renditions\/thumb/)
  await tile.click()
  await drawnFrom(page.getByRole('dialog').locator('img').first(), /renditions\/preview/)
  await page.goto('/feed')
  await drawnFrom(page.getByRole('article').locator('img'), /renditions\/(thumb|preview)/)
  await page.goto('/collections')
  await drawnFrom(page.getByRole('main').locator('img'), /renditions\/thumb/)
})

/** Waits until the image is drawn from this address. */
async function drawnFrom(image: Locator, address: RegExp): Promise<void> {
  const source = () => image.evaluate((img: HTMLImageElement) => (img.complete && img.naturalWidth > 0 ? img.currentSrc : 'nothing yet'))
  await expect.poll(source, { timeout: 20_000 }).toMatch(address)
}

test('A rendition that fails to load is replaced by another', async ({ expectedErrors, kyoto, opened }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await opened(2, PHONE)
  await page.route('**/renditions/thumb*', (route) => route.abort())
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await taken(page, 'Three').toEqual(['preview', 'file', 'file'])
})

test('A renamed photo is not loaded again, and covers have the same URL', async ({ openPage }) => {
  const kyoto = await world({ bob: 'read' })
  const id = await photo(kyoto, 'lake.jpg', 6)
  const { page } = await openPage({ as: kyoto.as('bob'), at: `/collections/media?c=${kyoto.collection.id}` })
  const tile = (name: string) => page.getByRole('button', { name: `Photo ${name}` }).locator('img')
  await drawnFrom(tile('lake.jpg'), /renditions\/thumb/)
  const source = await tile('lake.jpg').getAttribute('src')
  const loaded: string[] = []
  page.on('request', (request) => /renditions|_image|\/file/.test(request.url()) && loaded.push(request.url()))
  await kyoto.as('ada').put(`/api/asset/${id}`, { name: 'renamed.jpg', ...DATE })
  // The open page follows by itself.
  await drawnFrom(tile('renamed.jpg'), /renditions\/thumb/)
  expect(loaded).toEqual([])
  await page.goto('/collections')
  expect(await page.getByRole('main').locator('img').first().getAttribute('src')).toBe(source)
})
