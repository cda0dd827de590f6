import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { type Person, PHONE } from '../support/people.ts'
import { boxOf, finger, middleOf } from '../support/reach.ts'
import { PIXEL } from '../support/role-scene.ts'
import { worldWith } from '../support/world.ts'

/** Gestures that only a pointer makes: tracks, wheels, drags through hours, hovering over a button. */

const test = app
  .extend('kyoto', { scope: 'file' }, () => worldWith(600))
  .extend(
    'enter',
    ({ kyoto, openPage }) =>
      async (view: string, options: BrowserContextOptions = {}, id = kyoto.collection.id): Promise<Person> => {
        const person = await openPage({ as: kyoto.as('ada'), at: `/collections/${view}?c=${id}`, reducedMotion: 'reduce', ...options })
        await person.page
          .getByRole('button', { name: /^(Photo|Open) / })
          .first()
          .waitFor()
        return person
      },
  )

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test('Shift and a mouse preview a range, and a click selects it', async ({ enter }) => {
  const { page } = await enter('media')
  const photos = page.getByRole('button', { name: /^Photo / })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  const box = await boxOf(photos.first())
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const check = page.getByRole('button', { name: 'Select', exact: true })
  const { x, y } = await middleOf(check)
  // It stays as long as it is pointed at, through the frames in which it could go.
  for (let off = -3; off <= 3; off++) {
    await page.mouse.move(x + off, y)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await check.count()).toBe(1)
  }
  await check.click()
  await bar.getByText('1 photo selected').waitFor()
  await page.keyboard.down('Shift')
  const fifth = await middleOf(photos.nth(4))
  await page.mouse.move(fifth.x, fifth.y)
  await until(() => page.locator('[data-previewed]').count()).toBe(4)
  await page.mouse.click(fifth.x, fifth.y)
  await page.keyboard.up('Shift')
  await bar.getByText('5 photos selected').waitFor()
  expect(await page.locator('[data-previewed]').count()).toBe(0)
})

test.for(['media', 'timeline'])('A click and a drag on the months at the edge of %s scroll to a month', async (view, { enter }) => {
  const { page } = await enter(view)
  const track = page.getByRole('slider', { name: 'Go to month' })
  /** It sticks to the window, and so lies elsewhere once the page is scrolled. */
  const at = async (share: number): Promise<[number, number]> => {
    const { x, y, width, height } = await boxOf(track)
    return [x + width / 2, y + height * share]
  }
  const month = () => track.getAttribute('aria-valuetext')
  const first = await month()
  await page.mouse.click(...(await at(0.5)))
  await until(month).not.toBe(first)
  const middle = await month()
  const scrolled = await page.evaluate(() => scrollY)
  expect(scrolled).toBeGreaterThan(1_000)
  await page.mouse.move(...(await at(0.5)))
  await page.mouse.down()
  await page.mouse.move(...(await at(0.8)), { steps: 5 })
  await page.mouse.up()
  await until(() => page.evaluate(() => scrollY)).toBeGreaterThan(scrolled + 500)
  await until(month).not.toBe(middle)
  await page.mouse.click(...(await at(0.001)))
  await until(() => page.evaluate(() => scrollY)).toBe(0)
  await until(month).toBe(first)
})

test('Pointing at a month at the edge of media shows one of its photos', async ({ openPage }) => {
  const many = await worldWith(400)
  const photo = await sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer()
  // The oldest by far: its month is alone at the end of the track.
  const oldest = { date: '1990-05-01T10:00:00Z', datePrecision: 'minute', width: 1_200, height: 800 } as const
  await upload(many.as('ada'), new Uint8Array(photo), { ...oldest, collectionIds: [many.collection.id] })
  const { page } = await openPage({ as: many.as('ada'), at: `/collections/media?c=${many.collection.id}` })
  const track = page.getByRole('slider', { name: 'Go to month' })
  const { height } = await boxOf(track)
  await track.hover({ position: { x: 20, y: height - 2 } })
  await track.getByText('May 1990 · 1').waitFor()
  await until(() => track.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(75)
  expect(await track.locator('img').getAttribute('src')).toMatch(/^\/_image\/w_75,f_webp,q_80\//)
})

test('A fast scroll through media shows colours on the way and photos at its end', async ({ enter }) => {
  const { page } = await enter('media')
  const least = await page.evaluate(async () => {
    const grid = document.querySelector('[role=group][aria-label^=Photos]')
    let [photos, boxes] = [Number.POSITIVE_INFINITY, 0]
    for (let nth = 1; nth <= 60; nth++) {
      scrollTo(0, nth % 2 ? nth * 50 : document.documentElement.scrollHeight - nth * 50)
      await new Promise(requestAnimationFrame)
      const colours = [...(grid?.children ?? [])].filter((box) => (box as HTMLElement).style.backgroundColor.startsWith('rgb')).length
      const shown = grid?.querySelectorAll('img, button[data-index]').length ?? 0
      if (shown < photos) [photos, boxes] = [shown, colours]
    }
    return { photos, boxes }
  })
  expect(least.photos).toBe(0)
  expect(least.boxes).toBeGreaterThan(3)
  const photos = page.getByRole('button', { name: /^Photo / })
  await until(() => photos.count()).toBeGreaterThan(3)
  await until(async () => {
    const boxes = await Promise.all((await photos.all()).map((photo) => photo.boundingBox()))
    return boxes.some((box) => box && box.y >= 0 && box.y < 900)
  }).toBe(true)
})

test.for(['media', 'timeline'])(
  'A fast scroll through %s requests no photo on the way and shows all of them at its end',
  async (view, { enter }) => {
    const { page } = await enter(view)
    const asked = new Set<string>()
    await page.route('**/renditions/**', async (route) => {
      asked.add(new URL(route.request().url()).pathname)
      await route.fulfill({ contentType: 'image/webp', body: Buffer.from(PIXEL) })
    })
    const passed = await page.evaluate(async () => {
      const passed = new Set<string>()
      let before = performance.now()
      const end = before + 2_000
      // Down and up again, ten screens in a second, however many frames that are; a busy machine passes few photos, and goes on.
      for (let now = before, way = 1; now < end || passed.size <= 15; now = await new Promise(requestAnimationFrame)) {
        const last = document.documentElement.scrollHeight - innerHeight
        if (scrollY >= last) way = -1
        else if (scrollY <= 0) way = 1
        scrollBy(0, way * 10 * Math.min(60, now - before))
        before = now
        for (const one of document.querySelectorAll<HTMLElement>('main [data-index], main button[aria-label^="Open "]'))
          passed.add(one.dataset.index ?? one.ariaLabel ?? '')
      }
      return passed.size
    })
    expect(asked.size).toBeLessThan(passed / 3)
    const undrawn = () =>
      page.evaluate(() => {
        const photos = [...document.querySelectorAll('main button[aria-label^="Photo "], main button[aria-label^="Open "]')]
        const seen = photos.filter((photo) => photo.getBoundingClientRect().bottom > 0 && photo.getBoundingClientRect().top < innerHeight)
        return seen.length === 0 ? 'none there' : seen.filter((photo) => !photo.querySelector('img')?.naturalWidth).length
      })
    await until(undrawn).toBe(0)
  },
)

test('A finger scrolls through the months of the timeline', async ({ enter }) => {
  const { page } = await enter('timeline', { viewport: PHONE, hasTouch: true, isMobile: true })
  const touch = await finger(page)
  const handle = page.locator('[data-scrub-handle]')
  const bubble = page.locator('[data-scrub-bubble]')
  // The handle goes when nothing has moved for a while, so whoever misses it scrolls and tries again.
  await until(async () => {
    await page.evaluate(() => scrollBy(0, 400))
    const box = await handle.boundingBox()
    if (!box) return ''
    await touch.down({ x: box.x + box.width - 10, y: box.y + 22 })
    await touch.move({ x: box.x + box.width - 10, y: box.y + 222 })
    const month = await bubble.textContent({ timeout: 500 }).catch(() => '')
    await touch.up()
    return month
  }).toMatch(/^[A-Z][a-z]+ \d{4}$/)
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000)
})

/** Of the picture on the screen: twice as wide as it lies there, it is enlarged twice. */
const enlarged = (page: Page) =>
  page.evaluate(() => {
    const picture = document.querySelector<HTMLElement>('.yarl__slide_current img')
    return picture ? picture.getBoundingClientRect().width / picture.offsetWidth : 0
  })

test('A photo is enlarged by its button, the wheel and a double click', async ({ enter, kyoto }) => {
  const { collection } = (await kyoto.as('ada').post('/api/collections', { name: 'Journeys' })).body
  const [name = ''] = await readdir(PICTURES)
  const bytes = new Uint8Array(await readFile(path.join(PICTURES, name)))
  await upload(kyoto.as('ada'), bytes, { name, width: 1600, height: 1067, collectionIds: [collection.id] })
  const { page } = await enter('media', {}, collection.id)
  await page
    .getByRole('button', { name: /^Photo / })
    .first()
    .click()
  const { x, y } = await middleOf(page.locator('.yarl__slide_current img'))
  await until(() => enlarged(page)).toBeCloseTo(1, 3)
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await until(() => enlarged(page)).toBeGreaterThan(1.1)
  const before = await enlarged(page)
  await page.mouse.dblclick(x, y)
  await until(() => enlarged(page)).not.toBeCloseTo(before, 3)
  await until(async () => {
    await page.mouse.wheel(0, 200)
    return enlarged(page)
  }).toBeCloseTo(1, 3)
  await page.mouse.wheel(0, -300)
  await until(() => enlarged(page)).toBeGreaterThan(1.1)
  await page.keyboard.press('Escape')
  await until(() => asked(page, 'item')).toBeNull()
})

test('A tooltip waits for a resting pointer, and the next one appears at once', async ({ enter }) => {
  const { page } = await enter('media')
  const [one, other] = [page.getByRole('button', { name: 'Collapse sidebar' }), page.getByRole('button', { name: 'View options' })]
  const tips = page.locator('[role=tooltip]')
  await one.waitFor()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const over = async (thing: Locator) => {
    const { x, y, width, height } = (await thing.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + width / 2, y + height / 2)
  }
  await over(one)
  await page.clock.runFor(699)
  expect(await tips.count()).toBe(0)
  await page.clock.runFor(1)
  await tips.waitFor()
  // No time passes from here on.
  await over(other)
  await tips.filter({ hasText: 'View options' }).waitFor()
})

test('A tooltip appears at once up to 300 ms after the last one has closed, and waits again later', async ({ enter }) => {
  const { page } = await enter('media')
  const [one, other] = [page.getByRole('button', { name: 'Collapse sidebar' }), page.getByRole('button', { name: 'View options' })]
  const [first, second] = [await middleOf(one), await middleOf(other)]
  const tips = page.locator('[role=tooltip]')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  /** The pointer may cross to the tooltip for 150 ms. */
  const leave = async () => {
    await page.mouse.move(second.x, second.y + 200)
    await page.clock.runFor(150)
    await tips.waitFor({ state: 'detached' })
  }
  await page.mouse.move(first.x, first.y)
  await page.clock.runFor(700)
  await tips.waitFor()
  await leave()
  await page.clock.runFor(299)
  await page.mouse.move(second.x, second.y)
  await tips.filter({ hasText: 'View options' }).waitFor()
  await leave()
  await page.clock.runFor(300)
  await page.mouse.move(first.x, first.y)
  await page.clock.runFor(699)
  expect(await tips.count()).toBe(0)
  await page.clock.runFor(1)
  await tips.waitFor()
})

test('An event dragged to another day of a week keeps its hour', async ({ kyoto, openPage }) => {
  const { collection } = (await kyoto.as('ada').post('/api/collections', { name: 'Diary' })).body
  const { post } = (
    await kyoto.as('ada').post('/api/post', {
      ...{ type: 'event', title: 'Rehearsal', dateZone: 'Europe/Vienna', collectionIds: [collection.id] },
      ...{ date: '2024-05-03T11:30:00+02:00', endsAt: '2024-05-03T12:30:00+02:00' },
    })
  ).body
  const { page } = await openPage({
    as: kyoto.as('ada'),
    at: `/collections/calendar?c=${collection.id}&view=week&on=2024-05-03`,
    reducedMotion: 'reduce',
  })
  const of = (day: string) => page.getByRole('list', { name: day })
  const event = (day: string) => of(day).getByRole('button', { name: /Rehearsal/ })
  // The week scrolls to its first event.
  await event('Friday, 3 May 2024').hover()
  const from = await middleOf(event('Friday, 3 May 2024'))
  const to = await boxOf(of('Sunday, 5 May 2024'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, from.y, { steps: 14 })
  await page.mouse.up()
  await event('Sunday, 5 May 2024').getByText('11:30–12:30').waitFor()
  const stored = async () => Date.parse((await kyoto.as('ada').get(`/api/post/${post.id}`)).body.post.date)
  await until(stored).toBe(Date.parse('2024-05-05T11:30:00+02:00'))
})
