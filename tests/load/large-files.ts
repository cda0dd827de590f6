import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { largeJpeg } from '../support/large-jpeg.ts'
import { answered, type Figure } from './figures.ts'
import { residentOf } from './memory.ts'
import { addFiles, openMedia, PASSWORD } from './photos.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
const MIB = 1024 * 1024
const SAMPLE_EVERY = 20

/** What the largest files cost the page that adds them, until it begins to send them: its memory above that of the page at rest, and time. */
export async function measureLargeFiles(stack: Stack): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-large-'))
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: CHROMIUM_ARGS })
  try {
    const ada = new Client(stack.origin)
    await answered(ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: PASSWORD }), 201)
    const { id } = (await answered(ada.post('/api/collections', { name: 'Large' }), 201)).collection
    const figures: Figure[] = []
    for (const [what, file] of await makeFiles(folder)) {
      const page = await openMedia(browser, stack, { email: 'ada@example.org', id })
      figures.push({ what, value: await costOf(browser, page, file) })
      await page.context().close()
    }
    return figures
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

async function makeFiles(folder: string): Promise<[what: string, file: string][]> {
  const [photo, raw, film] = ['photo.jpg', 'photo.nef', 'film.mp4'].map((name) => path.join(folder, name)) as [string, string, string]
  await writeFile(photo, largeJpeg(16_320, 12_240))
  const scan = await readFile(path.join(FIXTURES, 'photos/scan.tif'))
  await writeFile(raw, Buffer.concat([scan, Buffer.alloc(100 * MIB), largeJpeg(6_000, 4_000)]))
  await writeFile(film, await readFile(path.join(FIXTURES, 'films/phone.mp4')))
  await enlarge(film, 4 * 1024 * MIB)
  return [
    ['a JPEG of 200 megapixels', photo],
    ['a raw file of 100 MB with a preview of 24 megapixels', raw],
    ['a film of 4 GB', film],
  ]
}

/** Adds a box that players skip. The file takes no room on disks that know sparse files. */
async function enlarge(film: string, size: number): Promise<void> {
  const handle = await open(film, 'r+')
  const at = (await handle.stat()).size
  const box = Buffer.alloc(16)
  box.writeUInt32BE(1, 0)
  box.write('free', 4)
  box.writeBigUInt64BE(BigInt(size - at), 8)
  await handle.write(box, 0, box.length, at)
  await handle.truncate(size)
  await handle.close()
}

async function costOf(browser: Browser, page: Page, file: string): Promise<string> {
  const rest = await renderersOf(browser)
  const begun = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/asset'), { timeout: 600_000 })
  let [most, sending] = [rest, false]
  const sampling = (async () => {
    while (!sending) {
      most = Math.max(most, await renderersOf(browser))
      await sleep(SAMPLE_EVERY)
    }
  })()
  const start = performance.now()
  await addFiles(page, [file])
  await begun
  const seconds = (performance.now() - start) / 1000
  sending = true
  await sampling
  return `${((most - rest) / MIB).toFixed(0)} MiB, ${seconds.toFixed(1)} s`
}

/** Resident bytes of all pages with their workers. */
async function renderersOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const sizes = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
  return sizes.reduce((sum, size) => sum + (size || 0), 0)
}
