import path from 'node:path'
import { build, type OutputFile } from 'esbuild'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/people.ts'

/** Spec §5, on a page of nothing but avatars: Cairn keeps no pictures of people, so that none of its own pages shows one. */

const UI = path.resolve(import.meta.dirname, '../../web/ui')
const AVATARS = `
import { createRoot } from 'react-dom/client'
import { Avatar } from './avatar.tsx'
createRoot(document.querySelector('main')).render(<>
  <Avatar alt="Ada Lovelace" src="/picture-of-ada" />
  <Avatar alt="The rowing club" src="/picture-of-club" icon="group" />
</>)`

let chromium: Awaited<ReturnType<typeof openBrowser>>
let files: OutputFile[]
let picture: Buffer

beforeAll(async () => {
  chromium = await openBrowser()
  const bundle = await build({
    stdin: { contents: AVATARS, resolveDir: UI, loader: 'tsx' },
    ...{ bundle: true, write: false, format: 'esm', jsx: 'automatic' },
    ...{ loader: { '.svg': 'file' }, assetNames: '[name]', publicPath: '/', entryNames: 'avatars', outdir: UI },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  files = bundle.outputFiles
  picture = await sharp({ create: { width: 48, height: 48, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => chromium?.close())

/** The page, once the browser has said of both pictures whether they can be drawn. */
async function avatars(page: Page, answer: (route: Route) => Promise<void>) {
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
}

test.each<[string, (route: Route) => Promise<void>]>([
  ['is not there', (route) => route.fulfill({ status: 404, contentType: 'image/png', body: '' })],
  ['is damaged', (route) => route.fulfill({ contentType: 'image/png', body: picture.subarray(0, 20) })],
  ['is something else', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' })],
  ['cannot be reached', (route) => route.abort()],
])('somebody whose picture %s is shown by initials, or by the icon', async (_what, answer) => {
  const { page, context } = await chromium.person()
  const { outcomes, pictures, ada, club } = await avatars(page, answer)
  expect(await outcomes()).toEqual(['error', 'error'])
  expect(await pictures.count()).toBe(0)
  expect(await ada.getByText('AL', { exact: true }).isVisible()).toBe(true)
  expect(await club.locator('svg').isVisible()).toBe(true)
  await context.close()
})

test('somebody whose picture can be drawn is shown by it', async () => {
  const { page, context, errors } = await chromium.person()
  const { outcomes, pictures, ada, club } = await avatars(page, (route) => route.fulfill({ contentType: 'image/png', body: picture }))
  expect(await outcomes()).toEqual(['load', 'load'])
  expect(await pictures.count()).toBe(2)
  expect(await ada.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(48)
  expect(await ada.getByText('AL').count()).toBe(0)
  expect(await club.locator('svg').count()).toBe(0)
  expect(errors).toEqual([])
  await context.close()
})
