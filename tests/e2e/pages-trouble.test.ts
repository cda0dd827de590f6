import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/fixtures.ts'
import { axeViolations } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { withoutBootstrap } from '../support/without-bootstrap.ts'
import { world } from '../support/world.ts'

// Open pages when the server has something newer, or something has gone wrong.

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** A page that the app has taken over, and whose server has the build that is named. */
async function withBuild(page: Page, newest: { id: string }) {
  let asked = 0
  await page.route('**/builds/latest.json', (route) => {
    asked++
    return route.fulfill({ json: newest })
  })
  await page.clock.install()
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate('globalThis.loadedOnce = true')
  /** The tab comes to the front: it looks, unless it has within a minute. */
  const look = async () => {
    const before = asked
    const answered = page.waitForResponse('**/builds/latest.json')
    await expect
      .poll(async () => {
        await page.clock.runFor(61_000)
        // What is asked after it has been answered when the look has been heard: the clock is not to run past the notice.
        await page.evaluate(async () => {
          document.dispatchEvent(new Event('visibilitychange'))
          await fetch('/robots.txt')
        })
        return asked
      })
      .toBeGreaterThan(before)
    await (await answered).finished()
  }
  return { look, isOld: () => page.evaluate('globalThis.loadedOnce === true') }
}

test('A newer build is loaded on the next navigation and not before', async ({ openPage }) => {
  const { page } = await openPage()
  const { look, isOld } = await withBuild(page, { id: 'newer' })
  await look()
  await heading(page, 'About Cairn').waitFor()
  expect(await isOld()).toBe(true)
  await page.getByRole('navigation', { name: 'About Cairn' }).getByRole('link', { name: 'Privacy' }).click()
  await heading(page, 'Privacy').waitFor()
  await expect.poll(isOld).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/privacy')
})

test('A newer build is announced once and loaded at once on request', async ({ openPage }) => {
  const { page } = await openPage()
  const newest = { id: 'newer' }
  const { look, isOld } = await withBuild(page, newest)
  const notice = page.getByRole('listitem').filter({ hasText: 'A new version of Cairn is ready' })
  await look()
  await notice.waitFor()
  await notice.getByRole('button', { name: 'Close' }).click()
  await page.clock.runFor(1_000)
  await notice.waitFor({ state: 'detached' })
  await look()
  await page.clock.runFor(500)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await notice.count()).toBe(0)
  newest.id = 'newest'
  await look()
  await notice.waitFor()
  expect(await isOld()).toBe(true)
  await notice.getByRole('button', { name: 'Reload now' }).click()
  await expect.poll(isOld).toBe(false)
  await heading(page, 'About Cairn').waitFor()
})

test('While an app is slow to load, its mark is on the screen', async ({ openPage }) => {
  const { page } = await openPage()
  const wanted = Promise.withResolvers<void>()
  await page.route(/assets\/index-[\w-]+\.js/, async (route) => {
    await wanted.promise
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  const mark = () =>
    page.evaluate(() => {
      const root = document.getElementById('root')
      if (!root) return null
      const { content, backgroundImage, opacity } = getComputedStyle(root, '::before')
      return content === 'none' ? null : `${backgroundImage.includes('/favicon.svg')} ${opacity}`
    })
  await expect.poll(mark).toBe('true 1')
  wanted.resolve()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await mark()).toBe(null)
})

test('An app whose code cannot be fetched says so and starts once it can be', async ({ expectedErrors, openPage }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await openPage()
  await page.route(/assets\/index-[\w-]+\.js/, (route) => route.abort())
  await page.goto('/login')
  await page.getByRole('alert').getByText('Cairn could not be loaded. Check the connection.').waitFor()
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('An app whose styles cannot be fetched works without them', async ({ expectedErrors, openPage }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await openPage()
  await page.route(/assets\/[\w-]+\.css/, (route) => route.abort())
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('An app whose icons never arrive waits for none of them', async ({ openPage }) => {
  const kyoto = await world()
  const { page } = await openPage({ as: kyoto.as('ada') })
  const asked = new Set<string>()
  await page.route(/icons-[\w-]+\.svg/, (route) => void asked.add(new URL(route.request().url()).pathname))
  await page.goto('/collections')
  await page.getByRole('link', { name: 'Kyoto', exact: true }).first().click()
  await page.getByRole('link', { name: 'Timeline' }).first().click()
  await heading(page, 'Timeline').waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).waitFor()
  expect([...asked].toSorted()).toEqual([expect.stringMatching(/^\/assets\/collection-icons-/), expect.stringMatching(/^\/assets\/icons-/)])
})

test.for(['/login', '/', '/about'])('An app that cannot start on %s says so and links home', async (path, { openPage }) => {
  const { page } = await openPage()
  await page.addInitScript('globalThis.setInterval = () => { throw new Error("No clock") }')
  await page.goto(path)
  await heading(page, 'Internal Server Error').waitFor()
  await page.getByText('No clock').waitFor()
  await page.getByRole('link', { name: 'Home' }).waitFor()
})

test.for<[string, (route: Route) => unknown]>([
  ['is refused', (route) => route.fulfill({ status: 500, body: 'no' })],
  ['is unreadable', (route) => route.fulfill({ body: '<p>proxy</p>' })],
  ['cannot be reached', (route) => route.abort()],
])('A page stays readable when its data %s', async ([, answer], { expectedErrors, openPage }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await openPage()
  await page.route('**/_payload.json?*', answer)
  // The app asks for this once it has read the data, or failed to.
  const lateAnswer = page.waitForResponse('**/api/analytics/config')
  await page.goto('/about')
  await page.evaluate('document.querySelector("h1").id = "kept"')
  await (await lateAnswer).finished()
  expect(await page.locator('#kept').textContent()).toBe('About Cairn')
  expect(await page.getByText('Internal Server Error').count()).toBe(0)
  await page.unrouteAll()
  await page.getByRole('navigation', { name: 'About Cairn' }).getByRole('link', { name: 'Privacy' }).click()
  await heading(page, 'Privacy').waitFor()
})

test('A crawler keeps the page’s content when the app cannot start', async ({ openPage }) => {
  const { page } = await openPage({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
  await page.addInitScript(() => {
    const fail = () => {
      Object.assign(globalThis, { hasFailed: true })
      throw new Error('No clock')
    }
    Object.assign(globalThis, { setInterval: fail })
  })
  for (const [path, title] of [
    ['/about', 'About Cairn'],
    ['/', /The places you have been/],
  ] as const) {
    await page.goto(path)
    await page.mouse.move(2, 2)
    await page.mouse.move(4, 4)
    await page.waitForFunction(() => 'hasFailed' in globalThis)
    await heading(page, title).waitFor()
    expect(await page.getByText('Internal Server Error').count(), path).toBe(0)
  }
})

test('A server error is reported with its request id', async ({ openPage }) => {
  const { page } = await openPage()
  const number = 'send the site’s operator this request number: '
  const fail = { status: 500, headers: { 'x-request-id': 'ray-1' }, json: {} }
  await withoutBootstrap(page)
  await page.route('**/api/auth/session', (route) => route.fulfill({ ...fail, headers: { 'x-request-id': 'ray-2' } }))
  await page.goto('/collections')
  await heading(page, 'Internal Server Error').waitFor()
  await page.getByText(`${number}ray-2`).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Sign in').waitFor()
  expect((await page.goto('/api/nothing'))?.status()).toBe(404)
  await page.getByText('There is no call GET /api/nothing.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Home' }).click()
  await heading(page, /The places you have been/).waitFor()
})
