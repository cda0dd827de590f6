import path from 'node:path'
import { build } from 'esbuild'
import type { Locator, Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { boxOf } from '../support/reach.ts'
import { type Actor, register, world } from '../support/world.ts'

/** Pictures of people: set in the profile and seen by others; and a page of nothing but avatars, for pictures that fail. */

const UI = path.resolve(import.meta.dirname, '../../web/ui')
const AVATARS = `
import { createRoot } from 'react-dom/client'
import { Avatar } from './avatar.tsx'
createRoot(document.querySelector('main')).render(<>
  <Avatar alt="Ada Lovelace" src="/picture-of-ada" />
  <Avatar alt="The rowing club" src="/picture-of-club" icon="group" />
</>)`

const test = app
  /** The bundled page, as files that its routes are answered with. */
  .extend('files', { scope: 'file' }, async () => {
    const bundle = await build({
      stdin: { contents: AVATARS, resolveDir: UI, loader: 'tsx' },
      ...{ bundle: true, write: false, format: 'esm', jsx: 'automatic' },
      ...{ loader: { '.svg': 'file' }, assetNames: '[name]', publicPath: '/', entryNames: 'avatars', outdir: UI },
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    return bundle.outputFiles
  })
  /** The page, once the browser has said of both pictures whether they can be drawn. */
  .extend('avatars', ({ files, openPage }) => async (answer: (route: Route) => Promise<void>) => {
    const { page } = await openPage()
    await page.addInitScript(() => {
      const outcomes: string[] = []
      const Native = Image
      globalThis.Image = class extends Native {
        constructor(width?: number, height?: number) {
          super(width, height)
          for (const type of ['load', 'error']) this.addEventListener(type, () => outcomes.push(type))
        }
      }
      Object.assign(globalThis, { outcomes })
    })
    const body = '<!doctype html><main></main><script type="module" src="/avatars.js"></script>'
    await page.route('**/avatars', (route) => route.fulfill({ contentType: 'text/html', body }))
    for (const { path: file, text } of files) {
      const contentType = file.endsWith('.svg') ? 'image/svg+xml' : 'text/javascript'
      await page.route(`**/${path.basename(file)}`, (route) => route.fulfill({ contentType, body: text }))
    }
    await page.route('**/picture-of-*', answer)
    await page.goto('/avatars')
    const outcomes = () => page.evaluate('globalThis.outcomes')
    await expect.poll(outcomes).toHaveLength(2)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const pictures = page.locator('img')
    return {
      outcomes,
      pictures,
      ada: page.getByRole('img', { name: 'Ada Lovelace' }),
      club: page.getByRole('img', { name: 'The rowing club' }),
    }
  })

const png = sharp({ create: { width: 48, height: 48, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

test.for<[string, (route: Route) => Promise<void>]>([
  ['is missing', (route) => route.fulfill({ status: 404, contentType: 'image/png', body: '' })],
  ['is damaged', async (route) => route.fulfill({ contentType: 'image/png', body: (await png).subarray(0, 20) })],
  ['is another file', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' })],
  ['cannot be fetched', (route) => route.abort()],
])('An avatar whose image %s shows initials or an icon', async ([, answer], { avatars, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { outcomes, pictures, ada, club } = await avatars(answer)
  expect(await outcomes()).toEqual(['error', 'error'])
  expect(await pictures.count()).toBe(0)
  expect(await ada.getByText('AL', { exact: true }).isVisible()).toBe(true)
  expect(await club.locator('svg').isVisible()).toBe(true)
})

test('An avatar whose image loads shows it', async ({ avatars }) => {
  const { outcomes, pictures, ada, club } = await avatars(async (route) => route.fulfill({ contentType: 'image/png', body: await png }))
  expect(await outcomes()).toEqual(['load', 'load'])
  expect(await pictures.count()).toBe(2)
  expect(await ada.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(48)
  expect(await ada.getByText('AL').count()).toBe(0)
  expect(await club.locator('svg').count()).toBe(0)
})

/** A red, a green and a blue stripe, 600 × 200 pixels. */
async function stripes(): Promise<Buffer> {
  const stripe = (background: string) =>
    sharp({ create: { width: 200, height: 200, channels: 3, background } })
      .png()
      .toBuffer()
  const parts = await Promise.all(['#f00000', '#00f000', '#0000f0'].map(stripe))
  return sharp({ create: { width: 600, height: 200, channels: 3, background: '#fff' } })
    .composite(parts.map((input, nth) => ({ input, left: nth * 200, top: 0 })))
    .png()
    .toBuffer()
}

/** Chooses a file behind this button, which opens the dialog. */
async function choose(page: Page, press: () => Promise<void>, file: { name: string; mimeType: string; buffer: Buffer }) {
  const chooser = page.waitForEvent('filechooser')
  await press()
  await (await chooser).setFiles(file)
}

const cropping = (page: Page) => page.getByRole('dialog', { name: 'Crop your picture' })
const position = (page: Page) => cropping(page).getByRole('application')
const placed = (page: Page, text: string) =>
  expect.poll(() => position(page).getAttribute('aria-label')).toBe(`Position of the picture: ${text}`)
const shownIn = (place: Locator) =>
  expect.poll(() => place.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: 20_000 }).toBe(96)
const you = (page: Page) => page.getByRole('region', { name: 'You', exact: true })

async function colorOfAvatar(actor: Actor): Promise<number[]> {
  const { bytes } = await actor.get(`/api/users/${actor.id}/avatar`)
  return (await sharp(bytes).stats()).channels.slice(0, 3).map(({ mean }) => Math.round(mean / 80) * 80)
}

test('A picture is cropped with the keyboard, shown to others wherever the person is, and removed', async ({ openPage }) => {
  const kyoto = await world({ bob: 'read' })
  const ada = kyoto.as('ada')
  await ada.post('/api/post', { type: 'note', title: 'Hello', collectionIds: [kyoto.collection.id] })
  const { page } = await openPage({ as: ada, at: '/profile/settings' })
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await stripes() }
  await page.getByRole('button', { name: 'Add a picture' }).focus()
  await choose(page, () => page.keyboard.press('Enter'), file)
  await placed(page, '50% from the left, 50% from the top')
  expect(await position(page).evaluate((area) => area === document.activeElement)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  for (let press = 0; press < 21; press++) await page.keyboard.press('ArrowRight')
  await placed(page, '100% from the left, 50% from the top')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Home')
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight')
  expect(await cropping(page).getByRole('slider', { name: 'Zoom' }).getAttribute('aria-valuetext')).toBe('120%')
  await page.keyboard.press('Enter')
  await cropping(page).waitFor({ state: 'detached' })
  await shownIn(you(page))
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Change picture')
  expect(await colorOfAvatar(ada)).toEqual([0, 0, 240])
  await shownIn(page.getByRole('button', { name: /profile, appearance, sign out$/ }).filter({ visible: true }))

  const bob = (await openPage({ as: kyoto.as('bob'), at: `/collections/timeline?c=${kyoto.collection.id}` })).page
  await shownIn(bob.getByRole('article', { name: 'Hello' }))
  await bob.goto('/feed')
  await shownIn(bob.getByRole('article').filter({ hasText: 'Ada Test' }))
  await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
  await bob.goto(`/collections/settings?c=${kyoto.collection.id}`)
  await shownIn(bob.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({ hasText: 'Ada Test' }))
  await shownIn(bob.getByRole('list', { name: 'Here now' }))

  await page.goto('/profile/settings')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await page.getByText('Picture removed', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add a picture')
  expect(await page.locator('img').count()).toBe(0)
})

test('A finger on a phone drags and zooms a picture', async ({ openPage }) => {
  const ada = await register('ada')
  const { page } = await openPage({ as: ada, at: '/profile/settings', viewport: PHONE, hasTouch: true, isMobile: true })
  const add = page.getByRole('button', { name: 'Add a picture' })
  await choose(page, () => add.tap(), { name: 'me.png', mimeType: 'image/png', buffer: await stripes() })
  const box = await boxOf(position(page))
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
  await drag(page, { x: box.x + 20, y: box.y + box.height / 2 }, { x: box.x + box.width - 20, y: box.y + box.height / 2 })
  await drag(page, { x: box.x + 20, y: box.y + box.height / 2 }, { x: box.x + box.width - 20, y: box.y + box.height / 2 })
  await placed(page, '0% from the left, 50% from the top')
  const zoom = await boxOf(cropping(page).getByRole('slider', { name: 'Zoom' }))
  expect(zoom.height).toBeGreaterThanOrEqual(44)
  expect(await axeViolations(page)).toEqual([])
  await cropping(page).getByRole('button', { name: 'Save picture' }).tap()
  await cropping(page).waitFor({ state: 'detached' })
  await shownIn(you(page))
  expect(await colorOfAvatar(ada)).toEqual([240, 0, 0])
})

test('A file that the browser cannot read as a picture is refused with a reason', async ({ openPage }) => {
  const { page } = await openPage({ as: await register('ada'), at: '/profile/settings' })
  const add = page.getByRole('button', { name: 'Add a picture' })
  await choose(page, () => add.click(), { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await page.getByText('This picture could not be read', { exact: true }).waitFor()
  await page.getByText('Choose a JPEG, PNG or WebP file.', { exact: true }).waitFor()
  expect(await cropping(page).count()).toBe(0)
})

interface Point {
  x: number
  y: number
}

/** A finger moves from one point to another, and rests there for a second: Chromium takes the next tap as the end of a fling otherwise. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const start = Date.now() / 1000
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[], seconds = 0) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: start + seconds })
  await touch('touchStart', [from])
  for (let step = 1; step <= 10; step++)
    await touch('touchMove', [{ x: from.x + ((to.x - from.x) * step) / 10, y: from.y + ((to.y - from.y) * step) / 10 }])
  await touch('touchEnd', [], 1)
  await client.detach()
}
