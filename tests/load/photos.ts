import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { answered, type Figure } from './figures.ts'

export const PASSWORD = 'correct horse battery'
const ALL = { timeout: 1_200_000 }

/** A phone's usual mix: photos of 12 megapixels, smaller ones received from others, screenshots. */
const DRAWN = [
  { width: 4000, height: 3000, format: 'jpeg' },
  { width: 3000, height: 4000, format: 'jpeg' },
  { width: 4000, height: 3000, format: 'jpeg' },
  { width: 1600, height: 1200, format: 'webp' },
  { width: 1179, height: 2556, format: 'png' },
] as const

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
/** What cannot be drawn here: small files of a phone, each made a file of its own by a box that nobody reads. */
const COPIED = ['photos/phone.heic', 'films/iphone.mov'] as const

/** Mixed photos and films that one member chooses, until another sees all of them. Both browsers, the worker and the database share the machine. */
export async function measurePhotos(stack: Stack, count: number): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-photos-'))
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: CHROMIUM_ARGS })
  try {
    const files = await makePhotos(folder, count)
    const [ada, bob] = [new Client(stack.origin), new Client(stack.origin)]
    const people = [
      [ada, 'ada@example.org'],
      [bob, 'bob@example.org'],
    ] as const
    for (const [who, email] of people) await answered(who.post('/api/auth/sign-up', { email, password: PASSWORD }), 201)
    const { id } = (await answered(ada.post('/api/collections', { name: 'Summer' }), 201)).collection
    const { user } = await answered(bob.get('/api/auth/session'))
    await stack.sql`insert into members (collection_id, user_id, role) values (${id}, ${user.id}, 'read')`
    const [hers, his] = await Promise.all(people.map(([, email]) => openMedia(browser, stack, { email, id })))
    if (!hers || !his) throw new Error('Two people take part')
    const { requests } = stack.neon.served
    const begin = performance.now()
    await addFiles(hers, files)
    await his.locator('main img').first().waitFor(ALL)
    const first = performance.now() - begin
    await his
      .getByText(new RegExp(`^${count} (?:photos|items)$`))
      .first()
      .waitFor(ALL)
    const all = performance.now() - begin
    const [unseen] = await stack.sql`select count(*) from assets where not renditions ? 'thumb'`
    const what = `${count} mixed photos and films, from their choice until another member sees`
    return [
      { what: `${what} the first`, value: `${(first / 1000).toFixed(1)} s` },
      { what: `${what} all`, value: `${(all / 1000).toFixed(1)} s, ${(count / (all / 1000)).toFixed(1)} per second` },
      { what: 'files without a picture', value: String(unseen?.count) },
      { what: 'trips to the database per file, both browsers', value: ((stack.neon.served.requests - requests) / count).toFixed(1) },
    ]
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

/** Chooses files to add, as a user does. */
export async function addFiles(page: Page, files: string[]): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Photos or files' }).click()
  await (await chooser).setFiles(files)
}

/** Paths of new photos and films, no two alike. */
export async function makePhotos(folder: string, count: number): Promise<string[]> {
  const files: string[] = []
  while (files.length < count) {
    const kind = files.length % (DRAWN.length + COPIED.length)
    const base = path.join(folder, `${Date.now()}-${files.length}`)
    const [drawn, copied] = [DRAWN[kind], COPIED[kind - DRAWN.length]]
    files.push(drawn ? await drawPhoto(base, drawn) : await copyFixture(base, copied ?? COPIED[0]))
  }
  return files
}

/** Coarse noise, enlarged, has about as many bytes as a photo. */
async function drawPhoto(base: string, { format, ...size }: (typeof DRAWN)[number]): Promise<string> {
  const grain = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const [width, height] = [Math.round(size.width / 4), Math.round(size.height / 4)]
  const small = await sharp({ create: { width, height, channels: 3, background: 'teal', noise: grain } })
    .png()
    .toBuffer()
  await sharp(small).resize(size.width, size.height, { fit: 'fill' }).toFormat(format).toFile(`${base}.${format}`)
  return `${base}.${format}`
}

async function copyFixture(base: string, name: string): Promise<string> {
  const file = base + path.extname(name)
  const box = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('free'), randomBytes(16)])
  await writeFile(file, Buffer.concat([await readFile(path.join(FIXTURES, name)), box]))
  return file
}

/** The media view of a collection, once its room is open. */
export async function openMedia(browser: Browser, { origin }: Stack, { email, id }: { email: string; id: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
  await context.request.post('/api/auth/sign-in', { data: { email, password: PASSWORD }, headers: { origin } })
  const page = await context.newPage()
  const rooms = page.waitForEvent('websocket', { predicate: (socket) => socket.url().includes(id) })
  await page.goto(`/collections/media?c=${id}`)
  await rooms
  return page
}
