import path from 'node:path'
import { build } from 'esbuild'
import type { Route } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'

/** A page of nothing but avatars: Cairn keeps no pictures of people, so that none of its own pages shows one. */

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
