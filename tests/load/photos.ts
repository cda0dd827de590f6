import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { answered, type Figure } from './figures.ts'
import { PHONE_ZONE, type Pressed, phoneFiles } from './phone-files.ts'

export const PASSWORD = 'correct horse battery'
const ALL = { timeout: 1_200_000 }

/**
 * A phone's files that one member chooses, until another sees all of them. Both browsers, the worker and the database share the machine.
 * Throws if the other member does not see each shot as one tile with a picture, in the order of their dates.
 */
export async function measurePhotos(stack: Stack, count: number): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-photos-'))
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: CHROMIUM_ARGS })
  try {
    const pressed = await phoneFiles(folder, count)
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
    await addFiles(
      hers,
      pressed.flatMap(({ files }) => files),
    )
    await his.locator('main img').first().waitFor(ALL)
    const first = performance.now() - begin
    await his
      .getByText(new RegExp(`^${pressed.length} (?:photos|items)$`))
      .first()
      .waitFor(ALL)
    const all = performance.now() - begin
    const trips = ((stack.neon.served.requests - requests) / count).toFixed(1)
    await expectInOrder(his, pressed)
    const what = `${count} files of a phone, ${pressed.length} shots, from their choice until another member sees`
    return [
      { what: `${what} the first`, value: `${(first / 1000).toFixed(1)} s` },
      { what: `${what} all`, value: `${(all / 1000).toFixed(1)} s, ${(count / (all / 1000)).toFixed(1)} per second` },
      { what: 'shots that are not one tile with a picture, or not in their place', value: '0' },
      { what: 'trips to the database per file, both browsers', value: trips },
    ]
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

/** Scrolls through the media view, whose newest photo comes first. */
async function expectInOrder(page: Page, pressed: Pressed[]): Promise<void> {
  const wanted = pressed.toSorted((a, b) => b.at - a.at).map(({ files }) => path.basename(files[0] ?? ''))
  const seen = new Map<number, string>()
  const tiles = page.locator('main button[data-index]')
  await page.mouse.move(720, 600)
  for (let still = 0; seen.size < wanted.length && still < 20; ) {
    const before = seen.size
    for (const { index, label, drawn } of await tiles.evaluateAll(readTiles)) if (drawn) seen.set(index, label)
    still = seen.size > before ? 0 : still + 1
    await page.mouse.wheel(0, still > 0 ? 0 : 500)
    await page.waitForTimeout(200)
  }
  const wrong = wanted.filter((name, index) => !seen.get(index)?.includes(name))
  if (wrong.length > 0 || seen.size !== wanted.length)
    throw new Error(`${wrong.length} of ${wanted.length} shots are not in their place with a picture: ${wrong.slice(0, 5).join(', ')}`)
}

function readTiles(tiles: Element[]): { index: number; label: string; drawn: boolean }[] {
  return tiles.map((tile) => ({
    index: Number(tile.getAttribute('data-index')),
    label: tile.getAttribute('aria-label') ?? '',
    drawn: (tile.querySelector('img')?.naturalWidth ?? 0) > 0,
  }))
}

/** Chooses files to add, as a user does. */
export async function addFiles(page: Page, files: string[]): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Photos or files' }).click()
  await (await chooser).setFiles(files)
}

/** The media view of a collection, once its room is open. */
export async function openMedia(browser: Browser, { origin }: Stack, { email, id }: { email: string; id: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 }, timezoneId: PHONE_ZONE })
  await context.request.post('/api/auth/sign-in', { data: { email, password: PASSWORD }, headers: { origin } })
  const page = await context.newPage()
  const rooms = page.waitForEvent('websocket', { predicate: (socket) => socket.url().includes(id) })
  await page.goto(`/collections/media?c=${id}`)
  await rooms
  return page
}
