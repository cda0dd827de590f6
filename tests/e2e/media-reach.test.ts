import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, JSHandle, Page } from 'playwright-core'
import { expect } from 'vitest'
import { beginning, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { chooseFromMenu, finger, focusedName, middleOf, type Point, tabTo } from '../support/reach.ts'
import { worldWith } from '../support/world.ts'

/** All that the media view does, once with keys alone and once with a finger on a phone. */

const test = app
  .extend('kyoto', { scope: 'file' }, async () => {
    const kyoto = await worldWith(ITEMS)
    const newest = { datePrecision: 'minute' as const, dateZone: 'UTC', collectionIds: [kyoto.collection.id] }
    const ada = kyoto.as('ada')
    const clip = { name: 'clip.mp4', type: 'video/mp4', date: '2026-03-02T10:00:00Z' }
    await upload(ada, await readFile(FILM), { ...newest, ...clip })
    const plan = { name: 'plan.pdf', type: 'application/pdf', date: '2026-03-01T10:00:00Z' }
    await upload(ada, beginning('%PDF-1.7\n'), { ...newest, ...plan })
    return kyoto
  })
  .extend('enter', ({ kyoto, openPage }) => async (options: BrowserContextOptions = {}): Promise<Person> => {
    const person = await openPage({
      as: kyoto.as('ada'),
      at: `/collections/media?c=${kyoto.collection.id}`,
      reducedMotion: 'reduce',
      ...options,
    })
    await person.page.getByRole('button', { name: /^Video clip\.mp4/ }).waitFor()
    return person
  })

const ITEMS = 240
const FILM = path.resolve(import.meta.dirname, '../fixtures/films/phone.mp4')

const until = <T>(see: () => T) => expect.poll(see, { timeout: 20_000 })

const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected items' })
const selected = (page: Page) => bar(page).getByRole('status').textContent()
const ticked = (page: Page) => page.getByRole('button', { name: /^(Photo|Video|File) /, pressed: true })
/** Until the page has not moved for many frames: a swipe lets it glide on. */
const stillPage = (page: Page) =>
  page.evaluate(async () => {
    for (let still = 0, last = scrollY; still < 30; last = scrollY) {
      await new Promise(requestAnimationFrame)
      still = scrollY === last ? still + 1 : 0
    }
  })
const scrolled = (page: Page) => page.evaluate(() => scrollY)

interface Box {
  left: number
  top: number
  bottom: number
}
/** Where the picture that had the focus lies, and the one that has it now. */
const fromAndTo = (page: Page, from: JSHandle<Element | null>) =>
  page.evaluate((before): [Box, Box] => {
    const [one, other] = [before, document.activeElement].map((element) => (element ?? document.body).getBoundingClientRect())
    return [one, other].map((box) => ({ left: box?.left ?? 0, top: box?.top ?? 0, bottom: box?.bottom ?? 0 })) as [Box, Box]
  }, from)
const sameColumn = (one: Box, other: Box) => Math.abs(one.left - other.left) < 1
const besides = (one: Box, other: Box) => one.top < other.bottom && one.bottom > other.top
/** Position in columns of the tile that each key moves to, relative to the tile where it was pressed. */
const ARROWS: [string, (from: Box, to: Box) => boolean][] = [
  ['ArrowRight', (from, to) => to.left > from.left && besides(from, to)],
  ['ArrowDown', (from, to) => sameColumn(from, to) && Math.abs(to.top - from.bottom) < 1],
  ['ArrowDown', (from, to) => sameColumn(from, to) && Math.abs(to.top - from.bottom) < 1],
  ['ArrowLeft', (from, to) => to.left < from.left && besides(from, to)],
  ['ArrowUp', (from, to) => sameColumn(from, to) && Math.abs(to.bottom - from.top) < 1],
  ['ArrowRight', (from, to) => to.left > from.left && besides(from, to)],
  // From the last column on to the first, further down.
  ['ArrowRight', (from, to) => to.left < from.left && to.bottom > from.bottom],
]

test('A screen reader meets every day’s heading before its own photos, and hears it once', async ({ enter }) => {
  const { page } = await enter()
  const grid = page.getByRole('group', { name: 'Photos, videos and files' })
  const namesInOrder = async () =>
    [...(await grid.ariaSnapshot()).matchAll(/^ +- (?:heading|button) "([^"]*)"/gm)].map(([, name = '']) => name)
  await until(async () => (await namesInOrder()).slice(0, 6)).toEqual([
    'Mon, 2 Mar 2026',
    'Select all of Monday, 2 March 2026',
    'Video clip.mp4, 2 March 2026, 10:00',
    'Sun, 1 Mar 2026',
    'Select all of Sunday, 1 March 2026',
    'File plan.pdf, 1 March 2026, 10:00',
  ])
})

test('Keys alone open a video and a file, select a range, clear it, and move through months and arrangements', async ({ enter }) => {
  const { page } = await enter()
  await tabTo(page, /^Video clip\.mp4/)
  await page.keyboard.press('Enter')
  await page.locator('video[controls]').waitFor()
  await until(() => asked(page, 'item')).toBeTruthy()
  const video = asked(page, 'item')
  await page.keyboard.press('ArrowRight')
  await until(() => asked(page, 'item')).not.toBe(video)
  await page.getByRole('link', { name: /^Download, 400/ }).waitFor()
  await page.keyboard.press('i')
  await page.getByRole('complementary', { name: 'Information' }).waitFor()
  await page.keyboard.press('i')
  await page.getByRole('complementary', { name: 'Information' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await until(() => asked(page, 'item')).toBeNull()
  // The focus goes to what was seen last.
  await until(() => focusedName(page)).toMatch(/^File plan\.pdf/)

  await page.keyboard.press('Shift+ArrowRight')
  await until(() => selected(page)).toBe('1 photo, 1 file selected')
  await page.keyboard.press('Shift+ArrowRight')
  await until(() => selected(page)).toBe('2 photos, 1 file selected')
  await page.keyboard.press('Shift+ArrowLeft')
  await until(() => selected(page)).toBe('1 photo, 1 file selected')
  await page.keyboard.press('x')
  await until(() => selected(page)).toBe('1 file selected')
  await page.keyboard.press('Control+a')
  await until(() => selected(page)).toBe('120 photos, 1 video, 1 file selected')
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })

  await tabTo(page, /^Go to month$/)
  const month = () => page.getByRole('slider', { name: 'Go to month' }).getAttribute('aria-valuetext')
  expect(await month()).toMatch(/ 202[56]/)
  await page.keyboard.press('End')
  await until(() => scrolled(page)).toBeGreaterThan(1_000)
  await until(month).not.toMatch(/202[56]/)
  await page.keyboard.press('Home')
  await until(() => scrolled(page)).toBe(0)

  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(page, /^View options$/)
  await chooseFromMenu(page, /^Masonry$/)
  await until(() =>
    page
      .getByRole('button', { name: /^Video clip\.mp4/ })
      .boundingBox()
      .then((box) => box?.width),
  ).toBeGreaterThan(300)
  await page.reload()
  await tabTo(page, /^Video clip\.mp4/)
  await page.getByText('so far').waitFor({ state: 'detached' })
  expect(await focusedName(page)).toMatch(/^Video clip\.mp4/)
  for (const [nth, [key, leads]] of ARROWS.entries()) {
    const before = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press(key)
    const led = async () => {
      const [from, to] = await fromAndTo(page, before)
      return leads(from, to) ? 'led' : `${nth}: ${key} from ${JSON.stringify(from)} to ${JSON.stringify(to)}, ${await focusedName(page)}`
    }
    await until(led).toBe('led')
  }
  await page.keyboard.press('Space')
  await until(() => selected(page)).toBe('1 photo selected')
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await until(() => scrolled(page)).toBeGreaterThan(1_000)
  await until(() => focusedName(page)).toMatch(/^Photo IMG_/)
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await until(() => asked(page, 'item')).toBeTruthy()
  await page.getByRole('button', { name: 'Information' }).waitFor()
  const shared = page.url()
  await page.keyboard.press('Escape')
  await until(() => asked(page, 'item')).toBeNull()
  // A link to one photo opens it, and leads to where it stands.
  await page.goto(shared)
  await page.getByRole('button', { name: 'Information' }).waitFor()
  await page.keyboard.press('Escape')
  await until(() => scrolled(page)).toBeGreaterThan(1_000)
})

test('The focus returns from a panel beside a photo to its button, and from its form to Edit', async ({ enter }) => {
  const { page } = await enter()
  await page.getByRole('button', { name: /^File plan\.pdf/ }).press('Enter')
  const panel = (name: string) => page.getByRole('complementary', { name })
  for (const name of ['Comments', 'Information']) {
    await page.getByRole('button', { name }).press('Enter')
    await panel(name).getByRole('button', { name: 'Close' }).press('Enter')
    await panel(name).waitFor({ state: 'detached' })
    expect(await focusedName(page)).toBe(name)
  }
  await page.getByRole('button', { name: 'Information' }).press('Enter')
  const edit = async () => {
    await panel('Information').getByRole('button', { name: 'Edit' }).press('Enter')
    await panel('Information').getByRole('textbox', { name: 'Description' }).waitFor()
    await until(() => focusedName(page)).toBe('Description')
  }
  await edit()
  await page.keyboard.press('Escape')
  await until(() => focusedName(page)).toBe('Edit')
  await edit()
  await page.keyboard.type('The house')
  await panel('Information').getByRole('button', { name: 'Cancel' }).press('Enter')
  const asking = page.getByRole('dialog', { name: 'Discard your changes?' })
  await asking.getByRole('button', { name: 'Discard' }).press('Enter')
  await asking.waitFor({ state: 'detached' })
  await until(() => focusedName(page)).toBe('Edit')
  await edit()
  await panel('Information').getByRole('button', { name: 'Save' }).press('Enter')
  await until(() => focusedName(page)).toBe('Edit')
})

test('Space on the button of a day selects the whole day', async ({ enter }) => {
  const { page } = await enter()
  await page.getByRole('button', { name: /^Select all of .*1 March 2026/ }).focus()
  await page.keyboard.press('Space')
  await until(() => selected(page)).toBe('1 file selected')
})

test('X selects the focused photo, also when a newer one has arrived above it', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  const { id } = (await ada.post('/api/collections', { name: 'Osaka' })).body.collection
  const add = (name: string, hour: number) => {
    const when = { date: `2026-03-01T${hour}:00:00Z`, datePrecision: 'minute' as const, dateZone: 'UTC' }
    return upload(ada, beginning('%PDF-1.7\n'), { ...when, name, type: 'application/pdf', collectionIds: [id] })
  }
  for (const hour of [10, 11, 12]) await add(`at-${hour}.pdf`, hour)
  const { page } = await openPage({ as: ada, at: `/collections/media?c=${id}` })
  await page.getByRole('button', { name: /^File at-12/ }).focus()
  await add('at-13.pdf', 13)
  await page.getByRole('button', { name: /^File at-13/ }).waitFor()
  expect(await focusedName(page)).toMatch(/^File at-12/)
  await page.keyboard.press('x')
  await until(() => ticked(page).first().getAttribute('aria-label')).toMatch(/^File at-12/)
  expect(await ticked(page).count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await until(() => focusedName(page)).toMatch(/^File at-11/)
})

test('A second Esc while the page handles the first closes nothing else', async ({ enter }) => {
  const { page } = await enter()
  await page.getByRole('button', { name: /^Video clip\.mp4/ }).click()
  await page.getByRole('button', { name: 'Information' }).waitFor()
  await page.evaluate(() => {
    const press = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    addEventListener('popstate', press, { once: true })
  })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Information' }).waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(new URL(page.url()).pathname).toBe('/collections/media')
  await until(() => focusedName(page)).toMatch(/^Video clip\.mp4/)
})

const PHONE_OPTIONS = { viewport: PHONE, hasTouch: true, isMobile: true }
const LEFT = { x: 60, y: 640 }
const RIGHT = { x: 340, y: 640 }

/** A finger that comes while the last picture is still on its way swipes again. */
function swiping(page: Page, touch: Awaited<ReturnType<typeof finger>>) {
  return (from: Point, to: Point, done: () => boolean) =>
    until(async () => {
      if (!done()) await touch.swipe(from, to)
      await page.waitForURL(done, { timeout: 3_000 }).catch(() => undefined)
      return done()
    }).toBe(true)
}

test('A finger on a phone swipes from item to item and selects by dragging beyond the screen', async ({ enter }) => {
  const { page } = await enter(PHONE_OPTIONS)
  const touch = await finger(page)
  await page.getByRole('button', { name: /^Video clip\.mp4/ }).tap()
  await page.locator('video[controls]').waitFor()
  await page.getByRole('button', { name: 'Information' }).tap()
  await page.getByRole('complementary', { name: 'Information' }).getByRole('button', { name: 'Close' }).tap()
  await page.getByRole('complementary', { name: 'Information' }).waitFor({ state: 'detached' })
  const item = () => asked(page, 'item')
  const swipe = swiping(page, touch)
  const video = item()
  await swipe(RIGHT, LEFT, () => item() !== video)
  await page.getByRole('link', { name: /^Download, 400/ }).waitFor()
  const file = item()
  await swipe(RIGHT, LEFT, () => item() !== file)
  await swipe(LEFT, RIGHT, () => item() === file)
  // Pulled down, it closes.
  await swipe({ x: 200, y: 600 }, { x: 200, y: 800 }, () => item() === null)

  await page.reload()
  const plan = page.getByRole('button', { name: /^File plan\.pdf/ })
  await touch.down(await middleOf(plan))
  await until(() => ticked(page).count()).toBe(1)
  await touch.move({ x: 300, y: 500 })
  await until(() => ticked(page).count()).toBeGreaterThan(1)
  const before = await ticked(page).count()
  expect(await scrolled(page)).toBe(0)
  // Held at the foot, the page goes on under the finger.
  await touch.move({ x: 300, y: 800 })
  await until(() => scrolled(page)).toBeGreaterThan(900)
  await touch.move({ x: 300, y: 450 })
  const rest = await scrolled(page)
  await until(async () => Number.parseInt((await selected(page)) ?? '', 10)).toBeGreaterThan(before + 5)
  await touch.up()
  await until(() => selected(page)).toMatch(/^\d+ photos, 1 file selected$/)
  expect(Math.abs((await scrolled(page)) - rest)).toBeLessThan(60)
  const range = await selected(page)
  // A tap takes one out, and in again; nothing opens meanwhile.
  const one = ticked(page).last()
  const name = await one.getAttribute('aria-label')
  await one.tap()
  await until(() => selected(page)).not.toBe(range)
  await page.getByRole('button', { name: name ?? '', exact: true }).tap()
  await until(() => selected(page)).toBe(range)
  expect(asked(page, 'item')).toBeNull()
  expect(await axeViolations(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Collections' }).tap()
  await page.getByRole('menuitem', { name: 'Add to collections…' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap()
  await bar(page)
    .getByRole('button', { name: /^Clear selection/ })
    .tap()
  await bar(page).waitFor({ state: 'detached' })
})

test('A screen reader on a phone finds the button for the next photo', async ({ enter }) => {
  const { page } = await enter(PHONE_OPTIONS)
  await page.getByRole('button', { name: /^Video clip\.mp4/ }).tap()
  await page.locator('video[controls]').waitFor()
  const video = asked(page, 'item')
  await page.getByRole('dialog').getByRole('button', { name: 'Next', exact: true }).press('Enter')
  await until(() => asked(page, 'item')).not.toBe(video)
  expect(await axeViolations(page)).toEqual([])
})

test('Two fingers on a phone enlarge the page', async ({ enter }) => {
  const { page } = await enter(PHONE_OPTIONS)
  const touch = await finger(page)
  await touch.spread(await middleOf(page.getByRole('button', { name: /^Video clip\.mp4/ })))
  await until(() => page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1.5)
})

test('A finger on a phone scrolls through columns, opens a photo, returns to it and selects', async ({ enter }) => {
  const { page } = await enter(PHONE_OPTIONS)
  const touch = await finger(page)
  const item = () => asked(page, 'item')
  const swipe = swiping(page, touch)
  await page.getByRole('button', { name: 'View options' }).tap()
  await page.getByRole('menuitemradio', { name: 'Masonry' }).tap()
  const photos = page.getByRole('button', { name: /^Photo / })
  await until(async () => (await photos.first().boundingBox())?.width).toBeGreaterThan(PHONE.width * 0.9)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await until(async () => {
    // At the edge, where the finger is taken for one on the picture beside it, which soon leaves the page.
    await touch.swipe({ x: 8, y: 700 }, { x: 8, y: 200 })
    return scrolled(page)
  }).toBeGreaterThan(1_500)
  // A tap on a page that still glides only stops it.
  await stillPage(page)
  const inSight = () => document.elementFromPoint(195, 400)?.closest('[data-index]')?.getAttribute('aria-label') ?? ''
  const photo = page.getByRole('button', { name: await page.evaluate(inSight), exact: true })
  await photo.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 150))
  const place = await middleOf(photo)
  const isBack = async () => Math.abs((await middleOf(photo)).y - place.y) <= 1
  await photo.tap()
  await until(item).toBeTruthy()
  const opened = item()
  await swipe(RIGHT, LEFT, () => item() !== opened)
  await swipe(LEFT, RIGHT, () => item() === opened)
  await swipe({ x: 200, y: 600 }, { x: 200, y: 800 }, () => item() === null)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(isBack).toBe(true)
  await touch.down(place)
  await until(() => selected(page)).toBe('1 photo selected')
  await touch.move({ x: 200, y: place.y + 268 })
  await until(() => selected(page)).toBe('2 photos selected')
  await touch.up()
  await photo.tap()
  await until(() => selected(page)).toBe('1 photo selected')
  await photo.tap()
  await until(() => selected(page)).toBe('2 photos selected')
  await bar(page)
    .getByRole('button', { name: /^Clear selection/ })
    .tap()
  await bar(page).waitFor({ state: 'detached' })
  // Another view, and back: where it was.
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Timeline' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await views.getByRole('link', { name: 'Media' }).tap()
  await until(isBack).toBe(true)
})
