import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findHeadless } from '../../dev/chromium.ts'
import { CHROMIUM_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { launchBrowser, newPerson, PHONE, signInAs } from '../support/people.ts'
import { test as app, article, goTo, SOON, type Viewer } from '../support/viewer.ts'
import { worldWith } from '../support/world.ts'

/** Nothing moves under the reader, whatever others do above; and coming back means to the same place. */

const shared = app
  .extend('kyoto', () => worldWith(ITEMS, { bob: 'write' }))
  .extend('inKyoto', ({ kyoto }) => () => ({ collectionIds: [kyoto.collection.id] }))
  .extend(
    'addPhoto',
    ({ inKyoto, kyoto }) =>
      (name: 'ada' | 'bob') =>
        upload(kyoto.as(name), jpegLike(), { width: 400, height: 300, date: new Date().toISOString(), ...inKyoto() }),
  )

const ITEMS = 600

const pill = ({ page }: Viewer) => page.getByRole('button', { name: /^\d+ new$/ })
const tiles = ({ page }: Viewer) => page.getByRole('group', { name: 'Photos, videos and files' }).getByRole('button', { name: /^Photo / })
const notes = ({ page }: Viewer) => page.getByRole('article', { name: /^Day \d+$/ })

/** Scrolls as a person does, and gives the first thing in sight, by its own name. */
async function scrollIn({ page }: Viewer, things: Locator, by = 4_000): Promise<Locator> {
  await things.first().waitFor(SOON)
  await page.mouse.move(500, 500)
  await page.mouse.wheel(0, by)
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(by / 2)
  const find = () => things.evaluateAll((all) => all.findIndex((one) => one.getBoundingClientRect().bottom > 1))
  await expect.poll(find).toBeGreaterThanOrEqual(0)
  const one = things.nth(await find())
  const id = await one.evaluate((element) => element.getAttribute('aria-labelledby') ?? element.getAttribute('aria-label'))
  return page.locator(`[aria-labelledby="${id}"], [aria-label="${id}"]`)
}

/** Distance from the top of the screen once nothing moves any more. */
async function restingTop(thing: Locator): Promise<number> {
  let last = Number.NaN
  await expect
    .poll(async () => {
      const before = last
      last = (await thing.boundingBox())?.y ?? Number.NaN
      return Math.abs(before - last)
    }, SOON)
    .toBeLessThan(0.5)
  return last
}

const countOf = (page: Page) =>
  page
    .getByRole('heading', { level: 1 })
    .locator('..')
    .getByText(/items|photos/)

const test = shared.extend('bob', ({ kyoto, watch }) => watch(kyoto, 'bob', 'timeline'))

describe.each(['By day', 'Masonry'])('Media, %s', (arrangement) => {
  const test = shared.extend('bob', async ({ kyoto, watch }) => {
    const bob = await watch(kyoto, 'bob', 'media')
    if (arrangement === 'By day') return bob
    await bob.page.getByRole('button', { name: 'View options' }).click()
    await bob.page.getByRole('menuitemradio', { name: arrangement }).click()
    return bob
  })

  test('Photos added above the visible one wait in a pill and move nothing', async ({ addPhoto, bob }) => {
    const tile = await scrollIn(bob, tiles(bob))
    const top = await restingTop(tile)
    await addPhoto('bob')
    await addPhoto('ada')
    await pill(bob).waitFor(SOON)
    await addPhoto('ada')
    await expect.poll(() => pill(bob).textContent(), SOON).toContain('2 new')
    expect(Math.abs((await restingTop(tile)) - top)).toBeLessThanOrEqual(1)

    await pill(bob).focus()
    await bob.page.keyboard.press('Enter')
    await expect.poll(() => bob.page.evaluate('scrollY'), SOON).toBe(0)
    await pill(bob).waitFor({ state: 'detached' })
  })

  test('Photos trashed above the visible one move nothing', async ({ bob, kyoto }) => {
    const tile = await scrollIn(bob, tiles(bob))
    const top = await restingTop(tile)
    const { assets } = (await kyoto.as('ada').get(`/api/asset?collection_id=${kyoto.collection.id}&limit=5`)).body
    const before = await countOf(bob.page).textContent()
    await kyoto.as('ada').delete('/api/asset/bulk', { ids: assets.map(({ id }: { id: string }) => id) })
    await expect.poll(() => countOf(bob.page).textContent(), SOON).not.toBe(before)
    const moved = Math.abs((await restingTop(tile)) - top)
    // Masonry puts everything below into other columns, so that only the topmost thing in sight can stay.
    if (arrangement === 'By day') expect(moved).toBeLessThanOrEqual(1)
  })

  test('A reload, another view and Back keep the scroll position', async ({ bob }) => {
    const tile = await scrollIn(bob, tiles(bob))
    const top = await restingTop(tile)
    const isBack = async () => expect.poll(async () => Math.abs((await restingTop(tile)) - top), SOON).toBeLessThanOrEqual(1)
    await bob.page.reload()
    await isBack()
    await goTo(bob, 'Timeline')
    await goTo(bob, 'Media')
    await isBack()
    await goTo(bob, 'Timeline')
    await bob.page.goBack()
    await isBack()
  })
})

test('New posts and photos above the timeline wait in a pill and move nothing', async ({ addPhoto, bob, inKyoto, kyoto }) => {
  const note = await scrollIn(bob, notes(bob))
  const top = await restingTop(note)
  await addPhoto('ada')
  await kyoto.as('ada').post('/api/post', { type: 'event', title: 'First snow', date: new Date().toISOString(), ...inKyoto() })
  await kyoto.as('bob').post('/api/post', { type: 'event', title: 'Of my own', date: new Date().toISOString(), ...inKyoto() })
  await expect.poll(() => pill(bob).textContent(), SOON).toContain('2 new')
  expect(Math.abs((await restingTop(note)) - top)).toBeLessThanOrEqual(1)
  // Few rows exist, however many there are.
  expect(await bob.page.locator('[data-row]').count()).toBeLessThan(40)

  await pill(bob).click()
  await article(bob, 'First snow').waitFor(SOON)
  await pill(bob).waitFor({ state: 'detached' })
})

test('A reload, another view and Back keep the timeline’s scroll position', async ({ bob }) => {
  const note = await scrollIn(bob, notes(bob))
  const top = await restingTop(note)
  const isBack = async () => expect.poll(async () => Math.abs((await restingTop(note)) - top), SOON).toBeLessThanOrEqual(1)
  await bob.page.reload()
  await isBack()
  await goTo(bob, 'Media')
  await goTo(bob, 'Timeline')
  await isBack()
  await goTo(bob, 'Media')
  await bob.page.goBack()
  await isBack()
})

test('The timeline zooms by years and months and keeps the zoom in its URL', async ({ bob }) => {
  const zoom = (name: string) => bob.page.getByRole('radio', { name, exact: true })
  await zoom('Year').click()
  await expect.poll(() => bob.page.url()).toContain('zoom=year')
  const year =
    (await article(bob, /^20\d\d$/)
      .first()
      .getByRole('heading')
      .textContent()) ?? ''
  await bob.page.reload()
  await article(bob, year).getByRole('button', { name: year }).click()
  await expect.poll(() => bob.page.url()).toContain('zoom=month')
  const month = article(bob, new RegExp(` ${year}$`)).first()
  const name = (await month.getByRole('heading').textContent()) ?? ''
  await month.getByRole('button', { name }).click()
  await expect.poll(() => bob.page.url()).not.toContain('zoom=')
  await bob.page
    .getByRole('heading', { level: 2, name: new RegExp(name) })
    .first()
    .waitFor()
  await bob.page.goBack()
  await article(bob, name).waitFor()
})

test('A handle at the edge of a phone’s screen scrolls through months, and the page scrolls beside it', async ({ kyoto, watch }) => {
  const bob = await watch(kyoto, 'bob', 'media', { viewport: PHONE, hasTouch: true, isMobile: true })
  await tiles(bob).first().waitFor(SOON)
  const touch = await bob.context.newCDPSession(bob.page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  const swipe = async (x: number, from: number, to: number) => {
    await finger('touchStart', { x, y: from })
    for (let step = 1; step <= 5; step++) await finger('touchMove', { x, y: from + ((to - from) * step) / 5 })
  }
  await swipe(200, 600, 300)
  await finger('touchEnd')
  await expect.poll(() => bob.page.evaluate('scrollY'), SOON).toBeGreaterThan(100)

  const handle = bob.page.locator('[data-scrub-handle]')
  const bubble = bob.page.locator('[data-scrub-bubble]')
  const before = await bob.page.evaluate(() => scrollY)
  // The handle goes when nothing has moved for a while, so whoever misses it scrolls and tries again.
  await expect
    .poll(async () => {
      await bob.page.evaluate(() => scrollBy(0, 10))
      const box = await handle.boundingBox()
      if (!box) return null
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
      await swipe(box.x + box.width - 10, box.y + 22, box.y + 222)
      const month = await bubble.textContent({ timeout: 500 }).catch(() => null)
      if (month === null) await finger('touchEnd')
      return month
    }, SOON)
    .toMatch(/^[A-Z][a-z]+ 20\d\d$/)
  expect(await bob.page.evaluate(() => scrollY)).toBeGreaterThan(before + 1_000)
  await finger('touchEnd')
  await bubble.waitFor({ state: 'detached' })
})

test('Posts of any height lie below each other at any width', async ({ inKyoto, kyoto, watch }) => {
  for (const day of [1, 2, 3, 4, 5]) {
    const post = { type: 'note', title: `Long${day}`.repeat(39), date: `2030-01-0${day}T12:00:00Z`, datePrecision: 'day' }
    expect((await kyoto.as('ada').post('/api/post', { ...post, ...inKyoto() })).status).toBe(201)
  }
  const bob = await watch(kyoto, 'bob', 'timeline', { viewport: PHONE })
  await article(bob, /^Long5/).waitFor(SOON)
  const overlaps = () =>
    bob.page.locator('article').evaluateAll((all) => {
      const boxes = all.map((one) => one.getBoundingClientRect()).toSorted((a, b) => a.top - b.top)
      return boxes.filter((box, i) => (boxes[i + 1]?.top ?? Number.POSITIVE_INFINITY) < box.bottom).length
    })
  await expect.poll(overlaps).toBe(0)
  const width = () => article(bob, /^Long5/).evaluate((one) => one.getBoundingClientRect().width)
  const before = await width()
  // So little that no line breaks elsewhere.
  await bob.page.setViewportSize({ ...PHONE, width: PHONE.width - 4 })
  await expect.poll(width).toBe(before - 4)
  await expect.poll(overlaps).toBe(0)
})

test('A dialog moves no page where scrollbars take room, whether the page scrolls or not', async ({ kyoto }) => {
  await using browser = await launchBrowser(CHROMIUM_ARGS, findHeadless, { ignoreDefaultArgs: ['--hide-scrollbars'] })
  const person = await newPerson(browser)
  await signInAs(person, kyoto.as('bob'))
  const { page } = person
  const width = () => page.evaluate(() => document.body.getBoundingClientRect().width)
  const bar = () => page.evaluate(() => innerWidth - document.documentElement.clientWidth)
  for (const [at, scrolls] of [
    ['/collections', false],
    [`/collections/timeline?c=${kyoto.collection.id}`, true],
  ] as const) {
    await page.goto(at)
    await expect.poll(async () => (await bar()) > 0).toBe(scrolls)
    const before = await width()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    expect(await width()).toBe(before)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await width()).toBe(before)
  }
  expect(person.errors).toEqual([])
})
