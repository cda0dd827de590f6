import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

/** A person's own colours, and those of the collection that is open. */

const OWN = { primary: 'violet', neutral: 'slate', radius: 0.25, blackAsPrimary: false } as const
const THEIRS = { primary: 'rose', neutral: 'tea', radius: 0, blackAsPrimary: false } as const

let chromium: Awaited<ReturnType<typeof openBrowser>>
let kyoto: World

beforeAll(async () => {
  chromium = await openBrowser()
  kyoto = await world({ bob: 'read' })
  await kyoto.as('ada').put(`/api/collections/${kyoto.collection.id}/theme`, THEIRS)
  for (const name of ['ada', 'bob']) await kyoto.as(name).put('/api/users/theme', OWN)
})
afterAll(() => chromium?.close())

const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })
const media = () => `/collections/media?c=${kyoto.collection.id}`
const empty = (page: Page) => page.getByText('No photos yet').waitFor()
const feed = (page: Page) => page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()

const worn = (page: Page) =>
  page.evaluate(() => {
    const { primary, neutral, radius } = document.documentElement.dataset
    return [primary, neutral, radius].join(' ')
  })

const icon = (page: Page) => page.evaluate(() => new URL(document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '').pathname)

async function enter(name: string): Promise<Person> {
  const person = await chromium.person({ colorScheme: 'light' })
  await signInAs(person, kyoto.as(name))
  await person.page.goto('/feed')
  await poll(() => worn(person.page)).toBe('violet slate 0.25')
  return person
}

/** Opens a page on a slow machine; returns what each of its frames wore. While nothing can be painted no frame is asked for. */
async function framesOf(context: BrowserContext, address: string, shown: (page: Page) => Promise<unknown>): Promise<string[]> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(() => {
    const frames = new Set<string>()
    Object.assign(globalThis, { wornFrames: frames })
    const look = () => {
      const { dataset } = document.documentElement
      frames.add([dataset.primary, dataset.neutral, dataset.radius, getComputedStyle(document.documentElement).colorScheme].join(' '))
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  // The person's own theme is known first.
  const own = page.waitForResponse('**/api/users/theme')
  await page.route('**/api/collections', async (route) => {
    await own
    await route.continue()
  })
  await page.goto(address)
  await shown(page)
  await page.waitForLoadState('networkidle')
  const frames = await page.evaluate(() => [...(globalThis as unknown as { wornFrames: Set<string> }).wornFrames])
  await page.close()
  return frames
}

test('the first frame already has the colours and the scheme that the page will have, on a slow machine too', async () => {
  const { page, context, errors } = await enter('ada')
  await page.goto('/profile/settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.goto(media())
  await poll(() => worn(page)).toBe('rose tea 0')
  expect(await framesOf(context, media(), empty)).toEqual(['rose tea 0 dark'])
  expect(await framesOf(context, '/feed', feed)).toEqual(['violet slate 0.25 dark'])
  // The browser's own bar goes along, though the system is light.
  const bars = page.locator('meta[name=theme-color]')
  expect(await bars.evaluateAll((all) => all.filter((bar) => matchMedia((bar as HTMLMetaElement).media).matches).length)).toBe(1)
  expect(await bars.nth(1).evaluate((bar) => matchMedia((bar as HTMLMetaElement).media).matches)).toBe(true)
  expect(errors).toEqual([])
  await context.close()
})

test('a collection is in its own colours for another member, who has theirs again outside of it', async () => {
  const { page, context, errors } = await enter('bob')
  expect(await icon(page)).toBe('/favicons/violet.svg')
  await page.goto(media())
  await empty(page)
  await poll(() => worn(page)).toBe('rose tea 0')
  expect(await icon(page)).toBe('/favicons/rose.svg')
  await page.getByRole('link', { name: 'Feed' }).first().click()
  await feed(page)
  await poll(() => worn(page)).toBe('violet slate 0.25')
  expect(await icon(page)).toBe('/favicons/violet.svg')
  await page.goBack()
  await poll(() => worn(page)).toBe('rose tea 0')

  await page.goto('/profile/settings')
  await page.getByRole('switch', { name: 'Use my colours everywhere' }).click()
  expect(await framesOf(context, media(), empty)).toEqual(['violet slate 0.25 light dark'])
  expect(errors).toEqual([])
  await context.close()
})

test('the icon is drawn in the chosen colour, and after signing out nothing of it is left', async () => {
  const { page, context, errors } = await enter('ada')
  await page.goto('/profile/settings')
  await page.getByRole('radio', { name: 'Teal' }).click()
  await poll(() => icon(page)).toBe('/favicons/teal.svg')
  const teal = await page.evaluate(async () => ({
    drawn: await (await fetch('/favicons/teal.svg')).text(),
    colour: getComputedStyle(document.documentElement).getPropertyValue('--primary-500'),
  }))
  // The build writes numbers without the nought before the point.
  expect(teal.drawn.replaceAll(' 0.', ' .')).toContain(`fill="${teal.colour}"`)
  const keys = ['primary', 'neutral', 'radius', 'black-as-primary']
  const kept = () => page.evaluate((names) => names.map((name) => localStorage.getItem(name)), keys)
  await poll(kept).toEqual(['teal', 'slate', '0.25', 'false'])
  await page.getByRole('switch', { name: 'Black as the main colour' }).click()
  await poll(() => icon(page)).toBe('/favicons/black.svg')

  await page.getByRole('button', { name: /^Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
  await poll(() => icon(page)).toBe('/favicon.svg')
  await poll(() => worn(page)).toBe('orange stone 0.5')
  await poll(kept).toEqual([null, null, null, null])
  expect(errors).toEqual([])
  await context.close()
})
