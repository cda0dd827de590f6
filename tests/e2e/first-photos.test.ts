import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { uploadPicture } from '../support/pictures.ts'
import { world } from '../support/world.ts'

/** Photos on the screen share the connection with everything that is fetched ahead. */

const test = app
  .extend('kyoto', () => world())
  /** Of Kyoto's photos, of which there is one. */
  .extend('address', async ({ kyoto }) => {
    await uploadPicture(kyoto.as('ada'), 'altiplano-salt-lake', 1600, { collectionIds: [kyoto.collection.id] })
    return `/collections/media?c=${kyoto.collection.id}`
  })

const photo = (page: Page) => page.getByRole('button', { name: /^Photo / })
const LATER = ['calendar', 'text-editor', 'toast', 'follow-build', 'follow-background', 'tray']
const isForLater = (url: string) => LATER.some((part) => url.includes(`/assets/${part}-`) && url.endsWith('.js'))
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

/** Requests from now on, in order. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  return asked
}

test('On a new device the first photos do not wait for the app, and come once', async ({ address, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada') })
  const asked = requestsOf(page)
  const isThumb = (url: string) => url.includes('/renditions/thumb?')
  await page.route('**/assets/index-*.js', async (route) => {
    await expect.poll(() => asked.some(isThumb), { timeout: 20_000 }).toBe(true)
    await route.continue()
  })
  await page.goto(address)
  const image = photo(page).locator('img')
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: 20_000 }).toBeGreaterThan(0)
  expect(asked.filter(isThumb)).toHaveLength(1)
})

test('A photo is its blurred placeholder until it is loaded', async ({ address, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada') })
  const release = await holdPhotos(page)
  await page.goto(address)
  await photo(page).waitFor()
  const image = photo(page).locator('img')
  const placeholder = () =>
    image.evaluate((img) => {
      const style = getComputedStyle(img.parentElement ?? img)
      return style.backgroundImage.slice(0, 'url("data:image/'.length)
    })
  const opacity = () => image.evaluate((img) => getComputedStyle(img).opacity)
  await expect.poll(placeholder, { timeout: 20_000 }).toBe('url("data:image/')
  expect(await opacity()).toBe('0')
  release()
  await expect.poll(opacity, { timeout: 20_000 }).toBe('1')
})

test('Scripts that the screen does not need are fetched after its photos', async ({ address, kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('ada') })
  const asked = requestsOf(page)
  const release = await holdPhotos(page)
  await page.goto(address)
  await photo(page).waitFor()
  // When a page has nothing else to do it asks for what may be needed later.
  for (const _ of [1, 2]) await page.evaluate(() => new Promise<unknown>((resolve) => requestIdleCallback(resolve)))
  expect(asked.filter(isForLater)).toEqual([])
  release()
  await expect.poll(() => asked.filter(isForLater).length, { timeout: 30_000 }).toBe(LATER.length)
})
