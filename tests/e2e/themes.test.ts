import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { withoutBootstrap } from '../support/without-bootstrap.ts'
import { world } from '../support/world.ts'

/** A person's own colours, and those of the collection that is open. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'read' })
    await kyoto.as('ada').put(`/api/collections/${kyoto.collection.id}/theme`, THEIRS)
    for (const name of ['ada', 'bob']) await kyoto.as(name).put('/api/users/theme', OWN)
    return kyoto
  })
  .extend(
    'media',
    ({ kyoto }) =>
      () =>
        `/collections/media?c=${kyoto.collection.id}`,
  )
  .extend('enter', ({ kyoto, openPage }) => async (name: string): Promise<Person> => {
    const person = await openPage({ as: kyoto.as(name), at: '/feed', colorScheme: 'light' })
    await poll(() => worn(person.page)).toBe('violet slate 0.25')
    return person
  })

const OWN = { primary: 'violet', neutral: 'slate', radius: 0.25, blackAsPrimary: false } as const
const THEIRS = { primary: 'rose', neutral: 'tea', radius: 0, blackAsPrimary: false } as const

const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })
const empty = (page: Page) => page.getByText('No photos yet').waitFor()
const feed = (page: Page) => page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()

const worn = (page: Page) =>
  page.evaluate(() => {
    const { primary, neutral, radius } = document.documentElement.dataset
    return [primary, neutral, radius].join(' ')
  })

/** The grey in the middle of the neutral palette. */
const grey = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--neutral-500'))

const icon = (page: Page) => page.evaluate(() => new URL(document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '').pathname)

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
  await withoutBootstrap(page)
  const own = page.waitForResponse('**/api/users/theme')
  await page.route('**/api/collections', async (route) => {
    await own
    await route.continue()
  })
  await page.goto(address)
  await shown(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.waitForLoadState('networkidle')
  const frames = await page.evaluate(() => [...(globalThis as unknown as { wornFrames: Set<string> }).wornFrames])
  await page.close()
  return frames
}

test('The first frame has the page’s final colours and scheme on a slow machine', async ({ enter, media }) => {
  const { page, context } = await enter('ada')
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
})

test('A member sees a collection in its colours and everything else in their own', async ({ enter, media }) => {
  const { page, context } = await enter('bob')
  expect(await icon(page)).toBe('/favicons/violet.svg')
  const slate = await grey(page)
  await page.goto(media())
  await empty(page)
  await poll(() => worn(page)).toBe('rose tea 0')
  expect(await grey(page)).not.toBe(slate)
  expect(await icon(page)).toBe('/favicons/rose.svg')
  await page.getByRole('link', { name: 'Feed' }).first().click()
  await feed(page)
  await poll(() => worn(page)).toBe('violet slate 0.25')
  expect(await icon(page)).toBe('/favicons/violet.svg')
  expect(await grey(page)).toBe(slate)
  await page.goBack()
  await poll(() => worn(page)).toBe('rose tea 0')

  await page.goto('/profile/settings')
  await page.getByRole('switch', { name: 'Use my colours everywhere' }).click()
  expect(await framesOf(context, media(), empty)).toEqual(['violet slate 0.25 light dark'])
})

test('The favicon has the chosen colour until the person signs out', async ({ enter }) => {
  const { page } = await enter('ada')
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
})

test('Without a choice, a person sees orange on stone and their collections green on slate', async ({ openPage }) => {
  const plain = await world()
  const { page } = await openPage({ as: plain.as('ada'), at: '/feed' })
  await feed(page)
  await poll(() => worn(page)).toBe('orange stone 0.5')
  await page.goto(`/collections/media?c=${plain.collection.id}`)
  await empty(page)
  await poll(() => worn(page)).toBe('green slate 0.5')
})
