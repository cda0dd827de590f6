import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import { seedDemo } from '../../dev/seed.ts'
import type { Stack } from '../../dev/stack.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { answered, type Figure, percentile } from './figures.ts'
import { phoneFiles } from './phone-files.ts'
import { addFiles } from './photos.ts'
import { openSlowLine } from './slow-line.ts'

/**
 * Round trips in milliseconds: of a browser in the city to Cloudflare's next location, and from there to a database in Frankfurt. Assumed, after what
 * providers publish.
 */
const CITIES = {
  Vienna: { edge: 8, database: 14 },
  'New York': { edge: 8, database: 88 },
  'São Paulo': { edge: 12, database: 205 },
  Tokyo: { edge: 8, database: 230 },
  Sydney: { edge: 10, database: 290 },
}
type City = keyof typeof CITIES

const NORA = { email: 'nora@example.org', password: 'cairn-demo' }
const TOMAS = { ...NORA, email: 'tomas@example.org' }
const WAIT = { timeout: 60_000 }

/**
 * Milliseconds and trips to the database of everyday actions, with the delays of five cities: medians of `runs`. Trips include work after the answers.
 * Storage and live rooms have no delay. The stack must be `fronted`: the slow line listens at the site's address.
 */
export async function measureWorld(stack: Stack, runs: number): Promise<Figure[]> {
  const line = await openSlowLine(Number(new URL(stack.origin).port), Number(new URL(stack.worker.origin).port))
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-world-'))
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: CHROMIUM_ARGS })
  try {
    await seedDemo(stack)
    stack.worker.runMinutely(false)
    const figures: Figure[] = []
    for (const [city, { edge, database }] of Object.entries(CITIES)) {
      line.roundTrip = edge
      stack.neon.simulated.delay = database
      figures.push(...(await inCity(stack, { browser, folder, runs }, city as City)))
      line.roundTrip = stack.neon.simulated.delay = 0
    }
    return figures
  } finally {
    await browser.close()
    await line.close()
    await rm(folder, { recursive: true })
  }
}

async function inCity(
  stack: Stack,
  { browser, folder, runs }: { browser: Browser; folder: string; runs: number },
  city: City,
): Promise<Figure[]> {
  const tomas = new Client(stack.origin)
  await answered(tomas.post('/api/auth/sign-in', TOMAS))
  const [first, second] = (await answered(tomas.get('/api/collections'))).collections
  const address = (view: string, { id }: { id: string }) => `/collections/${view}?c=${id}`
  const done: { what: string; took: number; trips: number }[] = []
  const timed = async (what: string, page: Page, act: () => Promise<unknown>) => {
    await quiet(stack)
    const before = stack.neon.served.requests
    const begin = performance.now()
    await act()
    const took = performance.now() - begin
    await page.waitForLoadState('networkidle')
    await quiet(stack)
    done.push({ what, took, trips: stack.neon.served.requests - before })
  }
  for (let run = 0; run < runs; run++) {
    const context = await newDevice(browser, stack)
    const page = await context.newPage()
    const shown = page.locator('main img').first()
    await timed('a collection is opened on a new device, until its first picture', page, async () => {
      await page.goto(address('media', first))
      await shown.waitFor(WAIT)
    })
    await stored(page, first.id)
    await timed('the same again', page, async () => {
      await page.reload()
      await shown.waitFor(WAIT)
    })
    await page.goto('/collections')
    await timed('another collection is opened', page, async () => {
      await page.getByRole('link', { name: second.name, exact: true }).first().click()
      await page.waitForURL(({ searchParams }) => searchParams.get('c') === second.id, WAIT)
      await shown.waitFor(WAIT)
    })
    await page.goto(address('timeline', first))
    await page.getByRole('article').first().waitFor(WAIT)
    const title = `From ${city}, ${run}`
    await timed('a post, until the server has it', page, async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Note' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill(title)
      const answer = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/post'))
      await page.getByRole('button', { name: 'Post', exact: true }).click()
      await answer
    })
    await timed("another member's post, from its sending until it is seen", page, async () => {
      await Promise.all([
        page.getByRole('article', { name: `${title} too` }).waitFor(WAIT),
        answered(
          tomas.post('/api/post', { type: 'note', title: `${title} too`, date: new Date().toISOString(), collectionIds: [first.id] }),
          201,
        ),
      ])
    })
    await page.goto(address('media', first))
    await shown.waitFor(WAIT)
    const [photo] = await phoneFiles(folder, 1)
    await timed('a photo, from its choice until the server has it', page, async () => {
      const answer = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/asset'))
      await addFiles(page, photo?.files ?? [])
      await answer
    })
    await context.close()
  }
  return [...Map.groupBy(done, ({ what }) => what)].map(([what, all]) => {
    const median = (of: 'took' | 'trips') =>
      percentile(
        all.map((run) => run[of]),
        0.5,
      )
    return { what: `${city}: ${what}`, value: `${Math.round(median('took'))} ms, ${median('trips')} trips` }
  })
}

/** A browser with nothing but Nora's session. */
async function newDevice(browser: Browser, { origin }: Stack): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
  await context.request.post('/api/auth/sign-in', { data: NORA, headers: { origin } })
  return context
}

/** Waits until the database has had no request for half a second. */
async function quiet({ neon: { served } }: Stack): Promise<void> {
  for (let seen = -1; seen !== served.requests; await new Promise((resolve) => setTimeout(resolve, 500))) seen = served.requests
}

/** Waits until the device has the content. */
async function stored(page: Page, collectionId: string): Promise<void> {
  await page.waitForFunction((id) => localStorage.getItem('stored-collections')?.includes(id), collectionId)
}
