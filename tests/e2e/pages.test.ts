import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject } from 'vitest'
import { BuildMeta, LatestBuild, metaPath, PagePayload, payloadPath } from '../../contract/site.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, DESKTOP, PHONE } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { world } from '../support/world.ts'

const test = app.extend('meta', { scope: 'file' }, async () => {
  const { id } = LatestBuild.parse(await (await get('/builds/latest.json')).json())
  return BuildMeta.parse(await (await get(metaPath(id))).json())
})

const POST = '/blog/sharing-without-worry'
const DRAFT = '/blog/drafts/a-year-in-the-garden'

const get = (path: string, init: RequestInit = {}) => fetch(inject('stack').origin + path, { redirect: 'manual', ...init })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test.each([
  ['/', 200],
  ['/login', 200],
  ['/collections/media', 200],
  ['/about', 200],
  ['/help/move-from-another-app', 200],
  [POST, 200],
  ['/no/such/page', 404],
  ['/blog/no-such-post', 404],
  ['/collections/nothing', 404],
  ['/assets/gone-12345678.js', 404],
  ['/no-such-file.png', 404],
  [DRAFT, 404],
  [`${DRAFT}?preview`, 200],
  [`${DRAFT}/_payload.json`, 404],
  [`/_preview${DRAFT}`, 404],
  [`/_preview${DRAFT}.html`, 404],
  ['/_home', 404],
  ['/_home.html', 404],
  ['/_home/en', 404],
])('GET %s answers %i', async (path, status) => {
  const answer = await get(path)
  expect(answer.status).toBe(status)
  // Files of the app come from the platform, ahead of the worker.
  if (!path.startsWith('/assets/')) expect(answer.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval'")
})

test.each([
  ['/help', 301, '/how-it-works'],
  ['/docs', 302, '/api/docs'],
  ['/about/', 301, '/about'],
  ['/login/?x=1', 301, '/login?x=1'],
])('GET %s redirects with %i to %s', async (path, status, to) => {
  const answer = await get(path)
  expect([answer.status, answer.headers.get('location')]).toEqual([status, to])
})

test.each([
  ['/favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)/],
  ['/apple-touch-icon.png', /^image\/png/],
  ['/favicon.svg', /^image\/svg\+xml/],
  ['/favicons/teal.svg', /^image\/svg\+xml/],
])('%s is an icon, which caches keep for an hour', async (path, type) => {
  const { status, headers } = await get(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(type)
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
})

test('Every page, home among them, has its own HTML, its data and links with this site’s origin', async ({ meta }) => {
  const { origin } = new URL(inject('stack').origin)
  expect(meta.prerendered).toContain('/')
  for (const path of meta.prerendered) {
    const html = await (await get(path)).text()
    const payload = await get(payloadPath(path, meta.id))
    const page = PagePayload.parse(await payload.json())
    expect(html, path).toContain(page.kind === 'home' ? '<title>Cairn</title>' : `<title>${page.title} · Cairn</title>`)
    expect(html, path).toContain(`<meta name="description" content="${page.description}"`)
    expect(html, path).toContain(`<link rel="canonical" href="${origin}${path}" />`)
    expect(html.match(/<title>/g), path).toHaveLength(1)
    expect(html, path).not.toContain('origin.invalid')
    expect(html, path).not.toMatch(/<script(?![^>]* src=)| on\w+="/)
    expect(payload.headers.get('cache-control')).toContain('immutable')
  }
})

test('A link preview describes its page and has an image of the declared size', async ({ meta }) => {
  const { origin } = new URL(inject('stack').origin)
  const pictures = new Set<string>()
  for (const path of meta.prerendered) {
    const html = await (await get(path)).text()
    const said = (property: string) => new RegExp(`<meta (?:property|name)="${property}" content="([^"]+)" />`).exec(html)?.[1] ?? ''
    expect([said('og:url'), said('twitter:card')], path).toEqual([origin + path, 'summary_large_image'])
    for (const property of ['og:title', 'og:description', 'og:image:alt']) expect(said(property), path).not.toBe('')
    pictures.add(said('og:image'))
  }
  expect(pictures.size).toBeGreaterThan(2)
  for (const picture of pictures) {
    expect(picture).toMatch(`${origin}/assets/content/`)
    const answer = await fetch(picture)
    expect([answer.status, answer.headers.get('content-type')], picture).toEqual([200, expect.stringMatching(/^image\//)])
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect([width, height], picture).toEqual([1200, 630])
  }
})

test('Feed readers and search engines find every page', async () => {
  const rss = await get('/blog/rss.xml')
  expect(rss.headers.get('content-type')).toContain('xml')
  expect(await rss.text()).toContain(`<link>${inject('stack').origin}${POST}</link>`)
  expect(await (await get('/sitemap.xml')).text()).toContain(`<loc>${inject('stack').origin}/about</loc>`)
  expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${inject('stack').origin}/sitemap.xml`)
})

test('Home works without JavaScript, a session gets the app instead, and the two are cached apart', async ({ openPage }) => {
  const { page } = await openPage({ javaScriptEnabled: false })
  const seen = await page.goto('/')
  await heading(page, /The places you have been/).waitFor()
  await page.getByRole('link', { name: 'Start a collection' }).waitFor()
  expect(await seen?.headerValue('vary')).toContain('cookie')
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect((await get('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const signedIn = await get('/', { headers: { 'if-none-match': etag, cookie: 'session=any' } })
  expect([signedIn.status, await signedIn.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')])
})

test('A prerendered page loads the app after it has loaded itself, and home goes on as it was', async ({ openPage }) => {
  const { page } = await openPage({ colorScheme: 'dark' })
  await page.addInitScript(() => localStorage.setItem('appearance', 'light'))
  await page.goto('/')
  await takenOver(page)
  const [loaded, scripts] = await page.evaluate(() => [
    (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventStart,
    performance
      .getEntriesByType('resource')
      .flatMap(({ name, startTime }) => (name.endsWith('.js') && !name.includes('/head-') ? startTime : [])),
  ])
  expect(scripts.length).toBeGreaterThan(2)
  expect(Math.min(...scripts)).toBeGreaterThanOrEqual(loaded)
  const picture = page.getByRole('img', { name: /A collection in Cairn/ })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toContain('media-light')
  await page.getByRole('link', { name: 'Start a collection' }).click()
  await heading(page, 'Create your account').waitFor()
})

test('A blog post is readable without JavaScript', async ({ openPage }) => {
  const { page } = await openPage({ at: POST, javaScriptEnabled: false })
  await heading(page, 'Sharing a collection without worry').waitFor()
  await page.getByRole('cell', { name: 'Grandparents' }).waitFor()
  await page.getByRole('link', { name: 'Privacy' }).click()
  await heading(page, 'Privacy').waitFor()
})

test('The app takes over a prerendered page and navigates without reloading it', async ({ meta, openPage }) => {
  const { page } = await openPage({ at: '/about' })
  await takenOver(page)
  await page.evaluate('globalThis.loadedOnce = true; document.querySelector("h1").dataset.mine = "yes"')
  const payload = page.waitForResponse((response) => response.url().includes(payloadPath('/self-hosting', meta.id)))
  await page.getByRole('article').getByRole('link', { name: 'run it yourself' }).click()
  await heading(page, 'Run Cairn yourself').waitFor()
  expect((await payload).status()).toBe(200)
  await page.getByRole('navigation', { name: 'About Cairn' }).getByRole('link', { name: 'Blog' }).click()
  await page.getByRole('link', { name: /Sharing a collection/ }).click()
  await heading(page, 'Sharing a collection without worry').waitFor()
  expect(await page.title()).toBe('Sharing a collection without worry · Cairn')
  expect(await page.evaluate('globalThis.loadedOnce')).toBe(true)
  await page.goBack()
  await heading(page, 'Blog').waitFor()
})

test('Hydration keeps the prerendered elements', async ({ openPage }) => {
  const { page } = await openPage()
  await page.addInitScript('addEventListener("DOMContentLoaded", () => { document.querySelector("h1").id = "kept" })')
  await page.goto('/about')
  await takenOver(page)
  expect(await page.locator('#kept').count()).toBe(1)
})

test('Drafts are shown with ?preview only', async ({ openPage }) => {
  const { page } = await openPage({ at: '/blog' })
  await heading(page, 'Blog').waitFor()
  expect(await page.getByText('A year in the garden').count()).toBe(0)
  await page.goto('/blog?preview')
  await page.getByRole('link', { name: /A year in the garden/ }).click()
  await heading(page, 'A year in the garden').waitFor()
  await page.getByText('Draft', { exact: true }).waitFor()
  await page.getByText('Preview', { exact: true }).waitFor()
  await page.goto(DRAFT)
  await page.getByText(`Page Not Found: ${DRAFT}`).waitFor()
})

test('A mark shows that the preview is on, without JavaScript too, and leads out of it', async ({ openPage }) => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/about', '/blog', POST]) {
    await page.goto(`${path}?preview`)
    await page.getByText('Preview', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Exit' }).click()
    await page.waitForURL((url) => url.pathname === path && url.search === '')
    expect(await page.getByText('Preview', { exact: true }).count(), path).toBe(0)
  }
  const withApp = await openPage({ at: '/about?preview' })
  await takenOver(withApp.page)
  await withApp.page.getByText('Preview', { exact: true }).waitFor()
})

test('A page with several path segments is reached from another page', async ({ openPage }) => {
  const { page } = await openPage({ at: '/how-it-works' })
  await takenOver(page)
  await page.getByRole('link', { name: 'move from another app' }).click()
  await page.waitForURL('**/help/move-from-another-app')
  await heading(page, 'Move from another app').waitFor()
})

test('A missing page says so once and offers visitors to sign in', async ({ openPage }) => {
  const { page } = await openPage({ at: '/no/such/page' })
  await heading(page, 'Page Not Found: /no/such/page').waitFor()
  expect(await page.getByText(/page not found/i).count()).toBe(1)
  expect(await page.getByRole('link', { name: 'Go to your collections' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await heading(page, 'Sign in').waitFor()
})

test('An unknown page shows the error page, and an unknown URL of the app leaves the shell', async ({ openPage }) => {
  const { page } = await openPage({ as: (await world()).as('ada'), at: '/blog/nothing' })
  await page.getByText('Page Not Found: /blog/nothing', { exact: true }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Go to your collections' }).click()
  await heading(page, 'Collections').waitFor()
  for (const path of ['/collections/nothing', '/feed/nothing', '/profile/nothing', '/profile/settings/nothing', '/share/nothing']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await page.getByText(`Page not found: ${path}`, { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Feed' }).waitFor()
  }
  // Within the app, too.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Feed' }).click()
  await heading(page, 'Feed').waitFor()
  await page.goBack()
  await page.getByText('Page not found: /share/nothing', { exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Feed' }).waitFor()
})

test('An old URL redirects within the app', async ({ openPage }) => {
  const { page } = await openPage({ at: '/about' })
  await takenOver(page)
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/help', textContent: 'old address' })
    document.querySelector('.prose')?.append(link)
  })
  await page.getByRole('link', { name: 'old address' }).click()
  await page.waitForURL('**/how-it-works')
  await heading(page, 'How it works').waitFor()
})

test('A crawler reads the page and never sees the error page', async ({ expectedErrors, meta, openPage }) => {
  expectedErrors.push(/ERR_FAILED/)
  const { page } = await openPage({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
  await page.route('**/_payload.json?*', (route) => route.abort())
  await page.goto('/about')
  await heading(page, 'About Cairn').waitFor()
  // The page before may ask as well, and is left before it has the answer.
  const judged = page.waitForResponse(
    (response) => response.url().endsWith(metaPath(meta.id)) && response.frame().url().endsWith('/no/such/page'),
  )
  expect((await page.goto('/no/such/page'))?.status()).toBe(404)
  await (await judged).finished()
  expect(await page.getByText(/not found/i).count()).toBe(0)
})

test.for<[string, BrowserContextOptions]>([
  ['on a desktop', { viewport: DESKTOP }],
  ['on a phone', { viewport: PHONE, hasTouch: true }],
])('No page overflows or has axe violations, light or dark, %s', async ([, options], { meta, openPage }) => {
  const { page } = await openPage({ ...options, reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of meta.prerendered) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(path)
    await page.locator('h1').waitFor()
    const light = await axeViolations(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await axeViolations(page, ['color-contrast'])
    found.push(...[...light, ...dark].map((violation) => `${path}: ${violation}`))
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${path} is too wide`)
  }
  expect(found).toEqual([])
})
