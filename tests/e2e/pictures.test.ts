import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { begin, sendParts, upload } from '../support/files.ts'
import { openBrowser, PHONE, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** Which picture a screen takes: the small one wherever that is sharp enough. */

const SIZE = { width: 2400, height: 1800 }
const DATE = { date: '2026-05-01T10:00:00Z', datePrecision: 'minute' } as const

let chromium: Awaited<ReturnType<typeof openBrowser>>
let kyoto: World

beforeAll(async () => {
  chromium = await openBrowser()
  kyoto = await world()
  const ids: string[] = []
  for (let nth = 0; nth < 4; nth++) ids.push(await photo(`p${nth}.jpg`, nth))
  const post = (title: string, existingAssetIds: string[]) =>
    kyoto.as('ada').post('/api/post', { type: 'note', title, ...DATE, existingAssetIds, collectionIds: [kyoto.collection.id] })
  await post('One', ids.slice(0, 1))
  await post('Three', ids.slice(1))
  // As a script brings it: nobody has made it smaller.
  await upload(kyoto.as('ada'), await drawn(SIZE.width, 9), { name: 'script.jpg', ...SIZE, ...DATE, collectionIds: [kyoto.collection.id] })
})
afterAll(() => chromium?.close())

function drawn(width: number, nth: number): Promise<Uint8Array<ArrayBuffer>> {
  const height = Math.round((width * SIZE.height) / SIZE.width)
  const create = { width, height, channels: 3 as const, background: { r: 40 + nth * 20, g: 120, b: 160 } }
  return sharp({ create })
    .jpeg()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}

async function photo(name: string, nth: number): Promise<string> {
  const bytes = await drawn(SIZE.width, nth)
  const ada = kyoto.as('ada')
  const { id } = await begin(ada, bytes, { name, ...SIZE, ...DATE, collectionIds: [kyoto.collection.id] })
  await sendParts(ada, id, bytes)
  for (const [rendition, width] of Object.entries({ thumb: 512, preview: 2048 }))
    await ada.put(`/api/asset/${id}/renditions/${rendition}`, await drawn(width, nth), { type: 'image/jpeg' })
  await ada.post(`/api/asset/${id}/complete`)
  return id
}

async function opened(deviceScaleFactor: number, viewport: { width: number; height: number }) {
  const person = await chromium.person({ deviceScaleFactor, viewport })
  await signInAs(person, kyoto.as('ada'))
  return person
}

/** What the pictures of a post are drawn from. */
const taken = (page: Page, title: string) =>
  expect.poll(() =>
    page
      .getByRole('article', { name: title })
      .locator('img')
      .evaluateAll((all) => all.map((img) => /\/(thumb|preview|file)\?/.exec((img as HTMLImageElement).currentSrc)?.[1])),
  )

test('a phone of two pixels to one takes the large picture for a whole column, and small ones for parts of it', async () => {
  const { page, context, errors } = await opened(2, PHONE)
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await taken(page, 'One').toEqual(['preview'])
  await taken(page, 'Three').toEqual(['thumb', 'thumb', 'thumb'])
  const first = page.getByRole('article', { name: 'Three' }).locator('img').first()
  expect(await first.getAttribute('srcset')).toMatch(/renditions\/thumb\?v=\d+ 640w, .*renditions\/preview\?v=\d+ 2048w$/)
  expect(await first.getAttribute('sizes')).toBe('(max-width: 767px) 75vw, 504px')
  expect(await first.getAttribute('loading')).toBe('lazy')
  expect(errors).toEqual([])
  await context.close()
})

test('a screen of one to one takes small ones for all but the whole column', async () => {
  const { page, context, errors } = await opened(1, { width: 1440, height: 900 })
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await taken(page, 'One').toEqual(['preview'])
  await taken(page, 'Three').toEqual(['thumb', 'thumb', 'thumb'])
  expect(errors).toEqual([])
  await context.close()
})

test('tiles are small, and what nobody has made smaller the server does', async () => {
  const { page, context, errors } = await opened(2, PHONE)
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
  expect(errors).toEqual([])
  await context.close()
})

test('when what was chosen fails, the others are tried', async () => {
  const { page, context } = await opened(2, PHONE)
  await page.route('**/renditions/thumb*', (route) => route.abort())
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await taken(page, 'Three').toEqual(['preview', 'file', 'file'])
  await context.close()
})
