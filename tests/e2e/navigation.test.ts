import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import type { BuildMeta } from '../../contract/site.ts'
import { jpegLike, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { PHONE, signInAs } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { register, world } from '../support/world.ts'

// Every route, whether it stands in the layout of the app, and what happens before a navigation. Statuses, crawlers,
// previews and both ways of being not found: pages.test.ts; the way back after signing in: sign-in.test.ts.

const test = app
  .extend('kyoto', { scope: 'file' }, () => world())
  .extend('somebody', ({ openPage }) => openPage())
  .extend('page', ({ somebody }) => somebody.page)
  .extend(
    'heading',
    ({ page }) =>
      (name: string | RegExp) =>
        page.getByRole('heading', { level: 1, name }),
  )
  .extend(
    'layout',
    ({ page }) =>
      () =>
        page.getByRole('navigation', { name: 'Views' }),
  )
  .extend(
    'path',
    ({ page }) =>
      () =>
        new URL(page.url()).pathname,
  )
  /** Serves changed build metadata, then follows a link of /about that leads to `to`. */
  .extend('follow', ({ page }) => async (to: string, rules: BuildMeta['matcher']['static']): Promise<void> => {
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
  })

const VIEWS = ['map', 'media', 'calendar', 'timeline', 'settings'].map((view) => `/collections/${view}`)
const OWN = ['/feed', '/collections', '/profile/settings']

test('Every page for members stands in the layout of the app', async ({ kyoto, layout, page, somebody }) => {
  await signInAs(somebody, kyoto.as('ada'))
  for (const route of [...OWN, ...VIEWS.map((view) => `${view}?c=${kyoto.collection.id}`)]) {
    expect((await page.goto(route))?.status(), route).toBe(200)
    await layout().first().waitFor()
    await page.getByRole('main').getByRole('heading').first().waitFor()
    expect(await page.getByText(/not found/i).count(), route).toBe(0)
    expect(page.url(), route).toContain(route)
  }
})

test('No page scrolls sideways with names of maximal length', async ({ page, somebody }) => {
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
  for (const route of [...OWN, ...VIEWS.map((view) => `${view}?c=${id}`)]) {
    await page.goto(route)
    for (const size of [{ width: 1024, height: 768 }, { width: 768, height: 1024 }, PHONE]) {
      await page.setViewportSize(size)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      await page.getByText('1 invitation').first().waitFor({ state: 'attached' })
      const over = await page.evaluate(async () => {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        return document.documentElement.scrollWidth - innerWidth
      })
      if (over > 0) wide.push(`${route} at ${size.width}: ${over} px`)
    }
  }
  expect(wide).toEqual([])
})

test('Public pages stand outside of the app’s layout', async ({ heading, layout, page }) => {
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

test('A visitor is sent from every page of the app to sign in, and the page is remembered', async ({ page, somebody }) => {
  const { origin } = inject('stack')
  for (const route of [...OWN, ...VIEWS]) {
    await page.goto(route)
    await page.waitForURL('**/login')
    const kept = (await somebody.context.cookies(origin)).find(({ name }) => name === 'return-to')
    expect(decodeURIComponent(kept?.value ?? '')).toBe(route)
  }
})

test('Home leads a signed-in person to their collections from outside and within the app', async ({
  heading,
  kyoto,
  page,
  path,
  somebody,
}) => {
  await signInAs(somebody, kyoto.as('ada'))
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

test('Sign-in redirects within the app only, whatever the cookie names', async ({ kyoto, page, somebody }) => {
  await signInAs(somebody, kyoto.as('ada'))
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

test('The last open collection opens again, even when only its cookie is left', async ({ kyoto, page, somebody }) => {
  await signInAs(somebody, kyoto.as('ada'))
  await page.goto(`/collections/media?c=${kyoto.collection.id}`)
  await page.getByText('No photos yet').waitFor()
  await page.goto('/collections/timeline')
  await page.waitForURL(`**/collections/timeline?c=${kyoto.collection.id}`)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/collections/calendar')
  await page.waitForURL(`**/collections/calendar?c=${kyoto.collection.id}`)
})

test('A link to a stranger’s or a deleted collection leaves the last selected one remembered', async ({ kyoto, page, path, somebody }) => {
  const ada = kyoto.as('ada')
  const own = kyoto.collection.id
  const { id: deleted } = (await ada.post('/api/collections', { name: 'Deleted' })).body.collection
  expect((await ada.delete(`/api/collections/${deleted}`)).status).toBe(200)
  const remembered = () =>
    page.evaluate(() => {
      const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('collection-preference='))
      return [localStorage.getItem('collection'), cookie && decodeURIComponent(cookie.split('=')[1] ?? '')]
    })
  const kept = JSON.stringify({ lastSelectedId: own })
  await signInAs(somebody, ada)
  await page.goto(`/collections/media?c=${own}`)
  await page.getByText('No photos yet').waitFor()
  for (const id of [(await world()).collection.id, deleted]) {
    await page.goto(`/collections/media?c=${id}`)
    await page.getByText('Collection not found').waitFor()
    expect(await remembered()).toEqual([kept, kept])
    await page.getByRole('main').getByRole('link', { name: 'All collections' }).click()
    await page.getByRole('button', { name: 'Collection: Kyoto' }).first().waitFor()
  }
  await page.goto('/collections/timeline')
  await page.waitForURL(`**/collections/timeline?c=${own}`)
  expect(path()).toBe('/collections/timeline')
})

test('A redirect to another site is followed by the browser', async ({ follow, heading, page }) => {
  await page.route('https://other.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }))
  const asked = page.waitForRequest('https://other.example/landing')
  await follow('/code', { '/code': { redirect: { to: 'https://other.example/landing', status: 302 } } })
  expect((await asked).isNavigationRequest()).toBe(true)
  await heading('Elsewhere').waitFor()
})

test('The address of the licence leads to another site, by a link and by itself', async ({ heading, page }) => {
  await page.route('https://opensource.org/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>The MIT License</h1>' }))
  const direct = await fetch(`${inject('stack').origin}/licence`, { redirect: 'manual' })
  expect([direct.status, direct.headers.get('location')]).toEqual([302, 'https://opensource.org/license/mit'])
  await page.goto('/about')
  await takenOver(page)
  const asked = page.waitForRequest('https://opensource.org/license/mit')
  await page.getByRole('link', { name: 'MIT licence' }).click()
  expect((await asked).isNavigationRequest()).toBe(true)
  await heading('The MIT License').waitFor()
})

test('A redirect to a script is refused', async ({ follow, heading, page }) => {
  await follow('/code', { '/code': { redirect: { to: 'javascript:globalThis.ran=true', status: 302 } } })
  await heading('Internal Server Error').waitFor()
  await page.getByText('Cairn does not open addresses that begin with "javascript:".', { exact: true }).waitFor()
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
})

test('A link to another site is followed by the browser, and one with another scheme is refused', async ({ follow, heading, page }) => {
  await page.route('https://other.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }))
  await follow('https://other.example/landing', {})
  await heading('Elsewhere').waitFor()
  await follow('ftp://other.example/', {})
  await page.getByRole('listitem').getByText('Cairn does not open addresses that begin with "ftp:".', { exact: true }).waitFor()
  await heading('About Cairn').waitFor()
})

test('An unknown route middleware shows the error page', async ({ follow, heading, page }) => {
  await follow('/privacy', { '/privacy': { prerender: true, appMiddleware: { toll: true } } })
  await heading('Internal Server Error').waitFor()
  await page.getByText('Unknown route middleware: toll', { exact: true }).waitFor()
  await page.getByText('500', { exact: true }).waitFor()
})

test('An unknown page shows the error page within the app', async ({ follow, heading, page }) => {
  await follow('/no/such/page', {})
  await heading('Page Not Found: /no/such/page').waitFor()
  await page.getByText('404', { exact: true }).waitFor()
  expect(await page.getByText('Page Not Found').count()).toBe(1)
})

test('A page whose data cannot be fetched is opened by the browser instead', async ({ heading, page, path }) => {
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate('globalThis.loadedOnce = true')
  await page.route('**/privacy/_payload.json?*', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.getByRole('navigation', { name: 'About Cairn' }).getByRole('link', { name: 'Privacy' }).click()
  await heading('Privacy').waitFor()
  expect([path(), await page.evaluate('globalThis.loadedOnce')]).toEqual(['/privacy', undefined])
})

test('A URL typed over a scrolled page opens at its top, and a reload stays where it was', async ({ page }) => {
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate(() => scrollTo(0, 400))
  await page.goto('/how-it-works')
  await takenOver(page)
  expect(await scrolled()).toBe(0)
  await page.evaluate(() => scrollTo(0, 300))
  await page.reload()
  await takenOver(page)
  await expect.poll(scrolled).toBe(300)
})

/** Waits until a screen reader has been told this title and the focus is on the element with this id or text. */
async function hears(page: Page, title: string, focused: string): Promise<void> {
  await expect.poll(() => page.locator('#root > [role=status]').textContent()).toBe(title)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)).toBe(focused)
}

test('A screen reader hears the title of every page after the first, and its focus is never lost', async ({ kyoto, page, somebody }) => {
  await page.goto('/')
  await takenOver(page)
  const announced = page.locator('#root > [role=status]')
  expect(await announced.textContent()).toBe('')
  const about = page.getByRole('navigation', { name: 'About Cairn' })
  await about.getByRole('link', { name: 'Blog' }).click()
  await hears(page, 'Blog · Cairn', 'content')
  await about.getByRole('link', { name: 'Privacy' }).focus()
  await page.keyboard.press('Enter')
  await hears(page, 'Privacy · Cairn', 'Privacy')
  await page.getByRole('link', { name: 'Cairn', exact: true }).click()
  await hears(page, 'Cairn', 'content')

  const [ada, bob] = [kyoto.as('ada'), await register('bob')]
  const { id } = (await bob.post('/api/collections', { name: 'Oslo' })).body.collection
  expect((await bob.post(`/api/collections/${id}/invites/invite`, { email: ada.email, role: 'read' })).status).toBe(200)
  await signInAs(somebody, ada)
  await page.goto('/collections')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Kyoto/ })
    .click()
  await hears(page, 'Media · Cairn', 'content')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Map' }).click()
  await hears(page, 'Map · Cairn', 'Map')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await hears(page, 'Timeline · Cairn', 'Map')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Jump to anything' }).fill('calendar')
  expect(await announced.evaluate((status) => status.closest('[aria-hidden=true]'))).toBeNull()
  await page.keyboard.press('Enter')
  await expect.poll(() => announced.textContent()).toMatch(/^\w+ \d{4} · Cairn$/)

  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await hears(page, 'Collections · Cairn', 'Map')
  await page.getByRole('button', { name: 'New collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nara')
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await hears(page, 'Media · Cairn', 'content')
  await page.goBack()
  await hears(page, 'Collections · Cairn', 'content')
  await page.getByRole('button', { name: 'Accept the invitation to Oslo' }).click()
  await hears(page, 'Media · Cairn', 'content')
})
