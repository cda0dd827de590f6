import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** A page begins with the picture that it ended with, for the person whose it is and nobody else. */

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let ada: Person
let address: string

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

beforeEach(async () => {
  w = await world({ bob: 'admin' })
  for (const n of [1, 2, 3]) {
    const date = `2024-05-0${n}T10:00:00Z`
    await w.as('ada').post('/api/post', { type: 'note', title: `Day ${n} of the walk`, date, collectionIds: [w.collection.id] })
  }
  ada = await chromium.person()
  await signInAs(ada, w.as('ada'))
  address = `/collections/timeline?c=${w.collection.id}`
})
afterEach(async () => {
  expect(ada.errors).toEqual([])
  await ada.context.close()
})

/** Opens the page and gives what it looks like, once the app has kept it for the next time. */
async function visit(page: Page): Promise<Buffer> {
  await page.goto(address)
  await page.getByRole('article', { name: 'Day 3 of the walk' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('snapshots'))).toContain(address)
  await page.mouse.move(700, 890)
  return page.screenshot()
}

/** Opens it again without the app's code, until the returned function is called. */
async function openWithoutApp(page: Page, open: () => Promise<unknown>): Promise<() => Promise<void>> {
  const wanted = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await wanted.promise
    await route.continue()
  })
  await open()
  return async () => {
    wanted.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

const reload = (page: Page) => page.reload({ waitUntil: 'commit' })

/** The share of pixels, 0 to 1, that differ visibly. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((png) => sharp(png).removeAlpha().greyscale().raw().toBuffer()))
  if (!a || a.length !== b?.length) return 1
  return a.filter((value, n) => Math.abs(value - (b[n] ?? 0)) > 16).length / a.length
}

test('what was there the last time is there before the app is, and gives way to it', async () => {
  const { page } = ada
  const before = await visit(page)
  const go = await openWithoutApp(page, () => reload(page))
  await expect.poll(async () => difference(before, await page.screenshot())).toBeLessThan(0.002)
  expect(await page.getByRole('article').count()).toBe(0)
  await go()
  await page.getByRole('article', { name: 'Day 3 of the walk' }).waitFor()
  await expect.poll(() => page.locator('#snapshot').count()).toBe(0)
  await expect.poll(async () => difference(before, await page.screenshot())).toBeLessThan(0.002)
})

test('below it the page is drawn once, and nothing that only holds its place', async () => {
  const { page } = ada
  await visit(page)
  // Once more, so that the content comes from this device.
  await visit(page)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const root = document.querySelector('#root')
      if (root?.querySelector('[data-skeleton]')) seen.push('skeleton')
      else if (root?.querySelector('article')) seen.push('page')
    }).observe(document, { childList: true, subtree: true })
  })
  await reload(page)
  await page.getByRole('article', { name: 'Day 3 of the walk' }).waitFor()
  await expect.poll(() => page.locator('#snapshot').count()).toBe(0)
  expect(await page.evaluate(() => [...new Set((globalThis as unknown as { seen: string[] }).seen)])).toEqual(['page'])
})

test('what is clicked before the app is there is done when it is', async () => {
  const { page } = ada
  await visit(page)
  const link = await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Media' }).boundingBox()
  if (!link) throw new Error('No link to media')
  const go = await openWithoutApp(page, () => reload(page))
  await page.locator('#snapshot').waitFor()
  await page.mouse.click(link.x + link.width / 2, link.y + link.height / 2)
  await go()
  await page.waitForURL('**/collections/media?**')
})

test('somebody else who is signed in now sees nothing of it', async () => {
  const { page } = ada
  const before = await visit(page)
  await ada.context.clearCookies()
  await signInAs(ada, w.as('bob'))
  const session = page.waitForResponse('**/api/auth/session')
  const go = await openWithoutApp(page, () => reload(page))
  await (await session).finished()
  await expect.poll(() => page.evaluate(() => [!!globalThis.snapshot, !!document.querySelector('#snapshot')])).toEqual([false, false])
  expect(await difference(before, await page.screenshot())).toBeGreaterThan(0.01)
  await go()
  await page.getByRole('article', { name: 'Day 3 of the walk' }).waitFor()
  await page.getByRole('button', { name: /Bob/ }).first().waitFor()
})

test('signing out leaves nothing of it on the device', async () => {
  const { page } = ada
  await visit(page)
  await page.getByRole('button', { name: /Ada/ }).first().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  const kept = () => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(kept).not.toContain('of the walk')
  await page.goto('/')
  expect(await kept()).not.toContain('of the walk')
})
