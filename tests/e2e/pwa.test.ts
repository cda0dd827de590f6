import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, inject } from 'vitest'
import { findChromium } from '../../dev/chromium.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { type Person, signInAs } from '../support/people.ts'
import { startSiteFront } from '../support/site-front.ts'
import { type World, world } from '../support/world.ts'

const test = app
  // The page's policy allows sockets to the site's own origin, which the front is not.
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED|WebSocket|Connecting to 'ws:/])
  .extend('front', async ({ browser: _ }, { onCleanup }) => {
    const front = await startSiteFront(inject('stack').origin)
    onCleanup(front.down)
    return front
  })
  .extend('kyoto', async () => {
    const kyoto = await world()
    await addPhoto(kyoto)
    const note = { type: 'note', title: 'First snow', date: '2030-01-01T00:00:00Z' }
    await kyoto.as('ada').post('/api/post', { ...note, collectionIds: [kyoto.collection.id] })
    return kyoto
  })
  .extend('ada', ({ front, kyoto, openPage }) => openPage({ as: kyoto.as('ada'), baseURL: front.origin, serviceWorkers: 'allow' }))
  .extend(
    'address',
    ({ kyoto }) =>
      (view: string) =>
        `/collections/${view}?c=${kyoto.collection.id}`,
  )
  /** Opens the collection, sees its photo, and waits until both it and the app are kept. */
  .extend('visit', ({ address, front, kyoto }) => async (person: Person): Promise<void> => {
    await person.page.goto(address('media'))
    await untilDrawn(person)
    await untilInstalled(person.page, front.build)
    await expect.poll(async () => (await cached(person.page)).pictures, WAIT).toBeGreaterThan(0)
    await expect.poll(() => keptCollections(person.page), WAIT).toEqual([kyoto.collection.id])
  })
  .extend('goOffline', ({ front }) => async ({ context }: Person): Promise<void> => {
    await front.down()
    await context.setOffline(true)
  })

/** Fetching the whole app takes a busy machine a while. */
const WAIT = { timeout: 60_000 }

/** Heading of the calendar. */
const MONTH = /^[A-Z][a-z]+ 20\d\d$/

async function addPhoto(kyoto: World): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const picture = sharp({ create: { width: 96, height: 64, channels: 3, background: '#888', noise } })
  const bytes = new Uint8Array(await picture.jpeg().toBuffer())
  const { id } = await upload(kyoto.as('ada'), bytes, { name: 'garden.jpg', width: 96, height: 64, collectionIds: [kyoto.collection.id] })
  const thumb = new Uint8Array(await picture.webp().toBuffer())
  const { status } = await kyoto.as('ada').put(`/api/asset/${id}/renditions/thumb`, thumb, { type: 'image/webp' })
  expect(status).toBe(200)
}

const photo = ({ page }: Person) => page.getByRole('button', { name: /^Photo / }).first()
const build = (page: Page) => page.locator('meta[name="cairn-build"]').getAttribute('content')

/** Names of what is cached, without the ids in them, and how many pictures there are. */
async function cached(page: Page): Promise<{ builds: string[]; others: string[]; pictures: number }> {
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const sizes = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length))
    return names.map((name, n) => ({ name, size: sizes[n] ?? 0 }))
  })
  const builds = kept.filter(({ name }) => name.startsWith('cairn-build-'))
  // The language of the device is nobody's content.
  const others = kept.filter((one) => !builds.includes(one) && one.name !== 'cairn-language')
  return {
    builds: builds.map(({ name }) => name.replace('cairn-build-', '')),
    others: others.map(({ name }) => name),
    pictures: others.reduce((sum, { size }) => sum + size, 0),
  }
}

/** Until the worker of this build is in charge of the page, which it is when it has all files. */
async function untilInstalled(page: Page, id: string): Promise<void> {
  await expect.poll(async () => (await cached(page)).builds, WAIT).toContain(id)
  const inCharge = () =>
    page.evaluate(async () => {
      const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {}
      return !installing && !waiting && active?.state === 'activated' && navigator.serviceWorker.controller === active
    })
  await expect.poll(inCharge, WAIT).toBe(true)
}

/** Collections whose content is on the device. */
async function keptCollections(page: Page): Promise<IDBValidKey[]> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases()).find((one) => one.name?.startsWith('cairn-content-'))?.name
    if (!name) return []
    const opening = indexedDB.open(name)
    const db = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const listing = db.transaction('heads').objectStore('heads').getAllKeys()
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      listing.onsuccess = () => resolve(listing.result)
    })
    db.close()
    return keys
  })
}

async function untilDrawn(person: Person): Promise<void> {
  const widthOf = () =>
    photo(person)
      .locator('img')
      .evaluateAll((images) => Math.max(0, ...images.map((image) => (image as HTMLImageElement).naturalWidth)))
  await photo(person).waitFor()
  await expect.poll(widthOf).toBe(96)
}

test('A collection opens in every view without a connection or a server', async ({ ada, address, front, goOffline, visit }) => {
  const { page } = ada
  await visit(ada)
  await goOffline(ada)
  await page.reload()
  await untilDrawn(ada)
  await page.getByText('You’re offline. You are seeing the version saved on this device.').waitFor()
  await page.goto(address('timeline'))
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  // Views that were never opened.
  for (const [view, heading] of [['calendar', MONTH] as const, ['map', 'Map'] as const, ['settings', 'Settings'] as const]) {
    await page.goto(address(view))
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  await front.up()
  await ada.context.setOffline(false)
  await page.goto(address('timeline'))
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await expect.poll(() => page.getByText('You’re offline.').count(), WAIT).toBe(0)
})

test('Code that only some sites need is not precached', async ({ ada, front, visit }) => {
  const { page } = ada
  await visit(ada)
  const kept = await page.evaluate(async (id) => {
    const requests = await (await caches.open(`cairn-build-${id}`)).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  }, front.build)
  expect(kept.filter((path) => /\/follow-analytics-/.test(path))).toHaveLength(1)
  expect(kept.filter((path) => /\/analytics-|\/places-/.test(path))).toEqual([])
})

test('Pages keep the server’s status and URL while there is a server', async ({ ada, front, visit }) => {
  const { page } = ada
  await visit(ada)
  // A server that takes its time is taken for none.
  await expect.poll(async () => (await page.goto('/no-such-page'))?.status(), WAIT).toBe(404)
  await expect.poll(async () => (await page.goto('/blog/'))?.url(), WAIT).toBe(`${front.origin}/blog`)
  await expect.poll(async () => (await page.goto('/api/docs'))?.status(), WAIT).toBe(200)
})

test('The server is asked only once for a link, the way back of a sign-in and the page of the API', async ({ ada, front, visit }) => {
  await visit(ada)
  const paths = ['/s/no-such-link', '/api/auth/callback?code=once', '/api/docs']
  for (const path of paths) await ada.page.goto(path)
  expect(front.asked.filter((one) => paths.includes(one))).toEqual(paths)
})

test('Signing out empties every cache of personal content', async ({ ada, visit }) => {
  const { page } = ada
  await visit(ada)
  await page
    .getByRole('button', { name: /Ada Test/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(async () => (await cached(page)).others).toEqual([])
  const addresses = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(addresses.filter((one) => /^\/(api|_image)\//.test(one))).toEqual([])
})

test('A removed member keeps no photo of the collection', async ({ front, kyoto, openPage, visit }) => {
  const bob = await world({ bob: null })
  await kyoto.sql`insert into members (collection_id, user_id, role) values (${kyoto.collection.id}, ${bob.as('bob').id}, 'read')`
  const reader = await openPage({ as: bob.as('bob'), baseURL: front.origin, serviceWorkers: 'allow' })
  await visit(reader)
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${bob.as('bob').id}`)
  await reader.page.reload()
  await reader.page.waitForURL('**/collections')
  await expect.poll(async () => (await cached(reader.page)).pictures, WAIT).toBe(0)
})

test('A tab of the previous build keeps working, and its service worker does not block the new build', async ({
  ada,
  address,
  front,
  goOffline,
  visit,
}) => {
  const { page } = ada
  await visit(ada)
  const [old, second] = [front.build, await ada.context.newPage()]
  await second.goto(address('media'))
  await second.getByRole('heading', { name: 'Media', level: 1 }).waitFor()
  front.deploy()
  // The server has none of these files any more; the worker has.
  await page.getByRole('link', { name: 'Calendar' }).first().click()
  await page.getByRole('heading', { name: MONTH, level: 1 }).waitFor()
  expect(await build(page)).toBe(old)
  // The new page comes through the old worker, which takes a server that takes its time for none.
  await expect
    .poll(async () => {
      await page.goto(address('timeline'))
      return build(page)
    }, WAIT)
    .toBe(front.build)
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await untilInstalled(page, front.build)
  await second.getByRole('link', { name: 'Timeline' }).first().click()
  await second.getByRole('article', { name: 'First snow' }).waitFor()
  await goOffline(ada)
  await page.goto(address('media'))
  await untilDrawn(ada)
  expect(await build(page)).toBe(front.build)
})

test('Installing is offered in the account menu and nowhere else', async ({ ada }) => {
  const { page } = ada
  await page.goto('/collections')
  const menu = page.getByRole('button', { name: /Ada Test/ }).first()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Install Cairn' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    const prompt = async () => {
      document.title = 'Asked'
    }
    dispatchEvent(Object.assign(offer, { prompt }))
    if (!offer.defaultPrevented) throw new Error('The browser would ask by itself')
  })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Install Cairn' }).click()
  await expect.poll(() => page.title()).toBe('Asked')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Install Cairn' }).count()).toBe(0)
})

test('Chromium finds no obstacle to installing the app', async ({ kyoto }) => {
  // Not in a private window, where nothing can be installed.
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-browser-'))
  let context: BrowserContext | null = null
  try {
    context = await chromium.launchPersistentContext(folder, {
      executablePath: await findChromium(console.log),
      args: CHROMIUM_ARGS,
      baseURL: inject('stack').origin,
    })
    await signInAs({ context }, kyoto.as('ada'))
    const page = await context.newPage()
    await page.goto('/collections')
    await page.getByText(kyoto.collection.name).first().waitFor()
    const devtools = await context.newCDPSession(page)
    const { errors, data } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '')).toMatchObject({ id: '/', start_url: '/collections', display: 'standalone' })
    await expect.poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  } finally {
    await context?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
})
