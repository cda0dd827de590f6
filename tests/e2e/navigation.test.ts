import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import type { BuildMeta } from '../../contract/site.ts'
import { jpegLike, upload } from '../support/files.ts'
import { openBrowser, type Person, PHONE, signInAs } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { type World, world } from '../support/world.ts'

// Spec §2 row by row: every route, whether it stands in the layout of the app, and what happens before a navigation. Statuses, crawlers,
// previews and both ways of being not found: pages.test.ts; the way back after signing in: sign-in.test.ts.

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let somebody: Person
let page: Page

beforeAll(async () => {
  ;[chromium, w] = await Promise.all([openBrowser(), world()])
})
afterAll(() => chromium?.close())
beforeEach(async () => {
  somebody = await chromium.person()
  page = somebody.page
  return () => somebody.context.close()
})

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const layout = () => page.getByRole('navigation', { name: 'Views' })
const path = () => new URL(page.url()).pathname
const VIEWS = ['map', 'media', 'calendar', 'timeline', 'settings'].map((view) => `/collections/${view}`)
const OWN = ['/feed', '/collections', '/profile/settings']

test('what only members see stands in the layout of the app', async () => {
  await signInAs(somebody, w.as('ada'))
  for (const route of [...OWN, ...VIEWS.map((view) => `${view}?c=${w.collection.id}`)]) {
    expect((await page.goto(route))?.status(), route).toBe(200)
    await layout().first().waitFor()
    await page.getByRole('main').getByRole('heading').first().waitFor()
    expect(await page.getByText(/not found/i).count(), route).toBe(0)
    expect(page.url(), route).toContain(route)
  }
})

test('however long everything is called, no page scrolls sideways', async () => {
  const long = await world({ bob: 'admin' })
  const [ada, bob] = [long.as('ada'), long.as('bob')]
  const name = (length: number) =>
    'Wonderful '
      .repeat(length)
      .slice(0, length - 1)
      .trimEnd()
  const word = (length: number) => 'W'.repeat(length)
  const { id } = long.collection
  expect((await ada.put(`/api/collections/${id}`, { name: name(LIMITS.collectionName) })).status).toBe(200)
  const other = (await bob.post('/api/collections', { name: word(LIMITS.collectionName) })).body.collection.id
  expect((await bob.post(`/api/collections/${other}/invites/invite`, { email: ada.email, role: 'read' })).status).toBe(200)
  const people = []
  for (const called of [name, word])
    people.push((await ada.post(`/api/collections/${id}/people`, { name: called(LIMITS.personName) })).body.person.id)
  const place = { lat: 48.2, lon: 16.4, name: word(LIMITS.locationName) }
  for (const type of ['event', 'note']) {
    const post = {
      type,
      title: word(LIMITS.postTitle),
      body: `<h1>${word(200)}</h1><p>https://example.org/${word(500)}</p>`,
      peopleIds: people,
    }
    const made = await ada.post('/api/post', { ...post, location: place, date: new Date().toISOString(), collectionIds: [id] })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
  }
  await upload(ada, jpegLike(), {
    name: `${word(LIMITS.fileName - 4)}.jpg`,
    width: 400,
    height: 300,
    alt: word(LIMITS.altText),
    collectionIds: [id],
  })
  await signInAs(somebody, ada)
  const wide: string[] = []
  for (const size of [PHONE, { width: 768, height: 1024 }, { width: 1024, height: 768 }]) {
    await page.setViewportSize(size)
    for (const route of [...OWN, ...VIEWS.map((view) => `${view}?c=${id}`)]) {
      await page.goto(route)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await page.getByText('1 invitation').first().waitFor({ state: 'attached' })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) wide.push(`${route} at ${size.width}: ${over} px`)
    }
  }
  expect(wide).toEqual([])
})

test('what everybody may read does not, and its addresses may have several parts', async () => {
  for (const [route, title] of [
    ['/', /The places you have been/],
    ['/login', 'Sign in'],
    ['/register', 'Create your account'],
    ['/blog', 'Blog'],
    ['/blog/sharing-without-worry', 'Sharing a collection without worry'],
    ['/blog/drafts/a-year-in-the-garden?preview', 'A year in the garden'],
    ['/about', 'About Cairn'],
  ] as const) {
    expect((await page.goto(route))?.status(), route).toBe(200)
    await heading(title).waitFor()
    expect(await layout().count(), route).toBe(0)
  }
})

test('a visitor is led from every page of the app to sign in, and where they wanted to go is remembered', async () => {
  const { origin } = inject('stack')
  for (const route of [...OWN, ...VIEWS]) {
    await page.goto(route)
    await page.waitForURL('**/login')
    const kept = (await somebody.context.cookies(origin)).find(({ name }) => name === 'return-to')
    expect(decodeURIComponent(kept?.value ?? '')).toBe(route)
  }
})

test('home leads who is signed in to the collections, from outside and within the app', async () => {
  await signInAs(somebody, w.as('ada'))
  await page.goto('/')
  await heading('Collections').waitFor()
  expect(path()).toBe('/collections')
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate('globalThis.loadedOnce = true')
  await page.getByRole('link', { name: 'Cairn', exact: true }).click()
  await heading('Collections').waitFor()
  expect(await page.evaluate('globalThis.loadedOnce')).toBe(true)
})

test('sign-in leads on within the app only, whatever the cookie names', async () => {
  await signInAs(somebody, w.as('ada'))
  const url = inject('stack').origin
  for (const [wanted, led] of [
    ['/feed', '/feed'],
    ['https://evil.example/', '/collections'],
    ['//evil.example/', '/collections'],
    ['javascript:alert(1)', '/collections'],
  ] as const) {
    await somebody.context.addCookies([{ name: 'return-to', value: encodeURIComponent(wanted), url }])
    await page.goto('/login')
    await page.waitForURL(url + led)
  }
})

test('the collection that was open last opens again, also where only its cookie is left', async () => {
  await signInAs(somebody, w.as('ada'))
  await page.goto(`/collections/media?c=${w.collection.id}`)
  await page.getByText('No photos yet').waitFor()
  await page.goto('/collections/timeline')
  await page.waitForURL(`**/collections/timeline?c=${w.collection.id}`)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/collections/calendar')
  await page.waitForURL(`**/collections/calendar?c=${w.collection.id}`)
})

/** What the build says of its routes, with something else in it; then a link of /about that leads to `to`. */
async function follow(to: string, rules: BuildMeta['matcher']['static']): Promise<void> {
  await page.route('**/builds/meta/*.json', async (route) => {
    const meta: BuildMeta = await (await route.fetch()).json()
    Object.assign(meta.matcher.static, rules)
    await route.fulfill({ json: meta })
  })
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate((href) => {
    document.querySelector('.prose')?.append(Object.assign(document.createElement('a'), { href, textContent: 'onward' }))
  }, to)
  await page.getByRole('link', { name: 'onward' }).click()
}

test('a redirect to another site is the browser’s to follow', async () => {
  await page.route('https://other.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }))
  const asked = page.waitForRequest('https://other.example/landing')
  await follow('/code', { '/code': { redirect: { to: 'https://other.example/landing', status: 302 } } })
  expect((await asked).isNavigationRequest()).toBe(true)
  await heading('Elsewhere').waitFor()
})

test('a redirect to a script is refused', async () => {
  await follow('/code', { '/code': { redirect: { to: 'javascript:globalThis.ran=true', status: 302 } } })
  await heading('Internal Server Error').waitFor()
  await page.getByText('Cairn does not open addresses that begin with "javascript:".', { exact: true }).waitFor()
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
})

test('a written link to another site is the browser’s to follow, and one that begins with anything else is refused and said', async () => {
  await page.route('https://other.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }))
  await follow('https://other.example/landing', {})
  await heading('Elsewhere').waitFor()
  await follow('ftp://other.example/', {})
  await page.getByRole('listitem').getByText('Cairn does not open addresses that begin with "ftp:".', { exact: true }).waitFor()
  await heading('About Cairn').waitFor()
})

test('what nobody knows to put before a page throws', async () => {
  await follow('/privacy', { '/privacy': { prerender: true, appMiddleware: { toll: true } } })
  await heading('Internal Server Error').waitFor()
  await page.getByText('Unknown route middleware: toll', { exact: true }).waitFor()
})

test('a page that there is not is fatal within the app, too', async () => {
  await follow('/no/such/page', {})
  await heading('Page Not Found').waitFor()
  await page.getByText('404', { exact: true }).waitFor()
  await page.getByText('Page Not Found: /no/such/page', { exact: true }).waitFor()
})

test('any other failure of the server has its status, and says what it was', async () => {
  await page.route('**/privacy/_payload.json?*', (route) => route.fulfill({ status: 500, body: 'no' }))
  await follow('/privacy', {})
  await heading('Internal Server Error').waitFor()
  await page.getByText('500', { exact: true }).waitFor()
  await page.getByText('This page could not be fetched just now. Try again in a moment.', { exact: true }).waitFor()
  await page.unroute('**/privacy/_payload.json?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading('Privacy').waitFor()
})
