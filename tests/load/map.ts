import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../../dev/chromium.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { MAP_ARGS } from '../support/browser.ts'
import { grow } from '../support/many.ts'
import { cost } from './client-words.ts'
import { type Figure, p50p95 } from './figures.ts'
import { LONG_TASK, longestTask } from './tasks.ts'

const PASSWORD = 'correct horse battery'

/**
 * A map of many photos all over the world: the time until its pins are shown, and the cost of panning and zooming for the main thread.
 * WebGL runs in software here.
 */
export async function measureMap(stack: Stack, points: number): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  const { body } = await ada.post('/api/auth/sign-up', { email: 'map@example.org', password: PASSWORD })
  const collectionId: string = (await ada.post('/api/collections', { name: 'World' })).body.collection.id
  await grow(stack.sql, { collectionId, userId: body.user.id, from: 0, to: points * 2 })
  await stack.sql`update assets set lat = (random() * 130 - 60), lon = (random() * 360 - 180)
    where id in (select asset_id from asset_collections where collection_id = ${collectionId})`
  const browser = await chromium.launch({ executablePath: await findChromium(console.log), args: MAP_ARGS })
  try {
    const context = await browser.newContext({ baseURL: stack.origin, viewport: { width: 1440, height: 900 } })
    await context.request.post('/api/auth/sign-in', {
      data: { email: 'map@example.org', password: PASSWORD },
      headers: { origin: stack.origin },
    })
    const page = await context.newPage()
    const begin = performance.now()
    await page.goto(`/collections/map?c=${collectionId}&at=30,10,2`)
    await page.locator('[data-pin]').first().waitFor({ timeout: 120_000 })
    const first = performance.now() - begin
    await page.getByText(`${points.toLocaleString('en')} on the map`, { exact: true }).waitFor({ timeout: 300_000 })
    const all = performance.now() - begin
    const name = `${points.toLocaleString('en')} points on the map`
    const figures = [{ what: `${name}: first pins, all there`, value: `${(first / 1000).toFixed(1)} s, ${(all / 1000).toFixed(1)} s` }]
    for (const [what, move] of [
      ['40 pans and 4 zooms', moved],
      ['a wheel that zooms in and out', wheeled],
    ] as const) {
      let frames: number[] = []
      const { wall, cpu, over } = await longestTask(browser, page, async () => {
        frames = await timedFrames(page, () => move(page))
      })
      figures.push(
        { what: `${name}: longest task in ${what}`, value: cost({ wall, cpu }) },
        { what: `${name}: tasks over ${LONG_TASK} ms of the processor in ${what}`, value: String(over) },
        { what: `${name}: frames of ${what}, p50 / p95`, value: p50p95(frames) },
      )
    }
    return figures
  } finally {
    await browser.close()
  }
}

/** Milliseconds between frames while `work` runs. */
async function timedFrames(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(globalThis, { frames })
    let last = performance.now()
    const next = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  await work()
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.splice(0))
}

async function moved(page: Page): Promise<void> {
  for (let zoom = 0; zoom < 4; zoom++) {
    for (let pan = 0; pan < 10; pan++) {
      await page.mouse.move(700, 500)
      await page.mouse.down()
      await page.mouse.move(700 + (pan % 2 ? 220 : -220), 460, { steps: 8 })
      await page.mouse.up()
    }
    await page.getByRole('button', { name: 'Zoom in' }).click()
  }
}

async function wheeled(page: Page): Promise<void> {
  await page.mouse.move(600, 450)
  for (const by of [-120, 120]) for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, by)
}
