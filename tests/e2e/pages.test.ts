import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { BuildMeta, LatestBuild, metaPath, PagePayload, payloadPath } from '../../contract/site.ts'
import { axeViolations, DESKTOP, openBrowser, PHONE, signInAs } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { world } from '../support/world.ts'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let meta: BuildMeta
const POST = '/blog/sharing-without-worry'
const DRAFT = '/blog/drafts/a-year-in-the-garden'

const get = (path: string, init: RequestInit = {}) => fetch(inject('stack').origin + path, { redirect: 'manual', ...init })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

beforeAll(async () => {
  chromium = await openBrowser()
  const { id } = LatestBuild.parse(await (await get('/builds/latest.json')).json())
  meta = BuildMeta.parse(await (await get(metaPath(id))).json())
})
afterAll(() => chromium?.close())

test.each([
  ['/', 200],
  ['/login', 200],
  ['/collections/media', 200],
  ['/about', 200],
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
])('%s answers %i', async (path, status) => {
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
])('%s redirects with %i to %s', async (path, status, to) => {
  const answer = await get(path)
  expect([answer.status, answer.headers.get('location')]).toEqual([status, to])
})

test('every page has HTML of its own, data, and the address of this site in its links', async () => {
  const { origin } = new URL(inject('stack').origin)
  for (const path of meta.prerendered) {
    const html = await (await get(path)).text()
    const payload = await get(payloadPath(path, meta.id))
    const page = PagePayload.parse(await payload.json())
    expect(html, path).toContain(`<title>${page.title} · Cairn</title>`)
    expect(html, path).toContain(`<link rel="canonical" href="${origin}${path}" />`)
    expect(html.match(/<title>/g), path).toHaveLength(1)
    expect(html, path).not.toContain('origin.invalid')
    expect(html, path).not.toMatch(/<script(?![^>]* src=)| on\w+="/)
    expect(payload.headers.get('cache-control')).toContain('immutable')
  }
})

test('whoever is sent a link sees what the page is about, and a picture of the size that is expected', async () => {
  const { origin } = new URL(inject('stack').origin)
  const pictures = new Set<string>()
  for (const path of ['/', ...meta.prerendered]) {
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

test('feed readers and search engines find what there is', async () => {
  const rss = await get('/blog/rss.xml')
  expect(rss.headers.get('content-type')).toContain('xml')
  expect(await rss.text()).toContain(`<link>${inject('stack').origin}${POST}</link>`)
  expect(await (await get('/sitemap.xml')).text()).toContain(`<loc>${inject('stack').origin}/about</loc>`)
  expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${inject('stack').origin}/sitemap.xml`)
})

test('home is there without JavaScript; whoever brings a session gets the app instead, and the browser keeps the two apart', async () => {
  const { page, context } = await chromium.person({ javaScriptEnabled: false })
  const seen = await page.goto('/')
  await heading(page, /The places you have been/).waitFor()
  await page.getByRole('link', { name: 'Start a collection' }).waitFor()
  expect(await seen?.headerValue('vary')).toContain('cookie')
  await context.close()
  const etag = (await get('/')).headers.get('etag') ?? ''
  expect((await get('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const signedIn = await get('/', { headers: { 'if-none-match': etag, cookie: 'session=any' } })
  expect([signedIn.status, await signedIn.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')])
})

test('A prerendered page loads the app after it has loaded itself, and home goes on as it was', async () => {
  const { page, context, errors } = await chromium.person({ colorScheme: 'dark' })
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
  expect(errors).toEqual([])
  await context.close()
})

test('without JavaScript a post reads as it should', async () => {
  const { page, context } = await chromium.person({ javaScriptEnabled: false })
  await page.goto(POST)
  await heading(page, 'Sharing a collection without worry').waitFor()
  await page.getByRole('cell', { name: 'Grandparents' }).waitFor()
  await page.getByRole('link', { name: 'Privacy' }).click()
  await heading(page, 'Privacy').waitFor()
  await context.close()
})

test('the app takes a page over as it stands, and leads on without loading it anew', async () => {
  const { page, context, errors } = await chromium.person()
  await page.goto('/about')
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
  expect(errors).toEqual([])
  await context.close()
})

test('hydration keeps what stands', async () => {
  const { page, context, errors } = await chromium.person()
  await page.addInitScript('addEventListener("DOMContentLoaded", () => { document.querySelector("h1").id = "kept" })')
  await page.goto('/about')
  await takenOver(page)
  expect(await page.locator('#kept').count()).toBe(1)
  expect(errors).toEqual([])
  await context.close()
})

test('drafts show with ?preview alone', async () => {
  const { page, context } = await chromium.person()
  await page.goto('/blog')
  await heading(page, 'Blog').waitFor()
  expect(await page.getByText('A year in the garden').count()).toBe(0)
  await page.goto('/blog?preview')
  await page.getByRole('link', { name: /A year in the garden/ }).click()
  await heading(page, 'A year in the garden').waitFor()
  await page.getByText('Draft', { exact: true }).waitFor()
  await page.goto(DRAFT)
  await page.getByText(`Page Not Found: ${DRAFT}`).waitFor()
  await context.close()
})

test('a page that there is not is fatal; an address of the app that no route knows leaves the shell', async () => {
  const { page, context } = await chromium.person()
  await signInAs({ page, context, errors: [] }, (await world()).as('ada'))
  await page.goto('/blog/nothing')
  await page.getByText('Page Not Found: /blog/nothing', { exact: true }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Go to your collections' }).click()
  await heading(page, 'Collections').waitFor()
  for (const path of ['/collections/nothing', '/profile/nothing', '/profile/settings/nothing']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await page.getByText(`Page not found: ${path}`, { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Feed' }).waitFor()
  }
  await context.close()
})

test('inside of the app an old address leads on as well', async () => {
  const { page, context } = await chromium.person()
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/help', textContent: 'old address' })
    document.querySelector('.prose')?.append(link)
  })
  await page.getByRole('link', { name: 'old address' }).click()
  await page.waitForURL('**/how-it-works')
  await heading(page, 'How it works').waitFor()
  await context.close()
})

test('a crawler reads the page and is never shown the error page', async () => {
  const { page, context } = await chromium.person({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
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
  await context.close()
})

test.each([
  ['light', { viewport: DESKTOP, colorScheme: 'light' as const }],
  ['dark', { viewport: DESKTOP, colorScheme: 'dark' as const }],
  ['on a phone', { viewport: PHONE, colorScheme: 'light' as const, hasTouch: true }],
  ['on a phone, dark', { viewport: PHONE, colorScheme: 'dark' as const, hasTouch: true }],
])('nothing on any page overflows, and axe finds nothing (%s)', async (_what, options) => {
  const { page, context, errors } = await chromium.person({ ...options, reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of meta.prerendered) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    found.push(...(await axeViolations(page)).map((violation) => `${path}: ${violation}`))
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${path} is too wide`)
  }
  expect([...found, ...errors]).toEqual([])
  await context.close()
})
