import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

const test = app
  .extend('kyoto', { scope: 'file' }, async () => {
    const kyoto = await world({ bob: 'read' })
    const actor = kyoto.as('ada')
    const collectionIds = [kyoto.collection.id]
    await actor.post('/api/collections', { name: 'Lisbon' })
    await actor.post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Grandmother' })
    for (const [title, date] of [
      ['First snow', '2024-03-10T10:00:00Z'],
      ['Harbour walk', '2023-07-01T10:00:00Z'],
    ]) {
      await actor.post('/api/post', { type: 'note', title, body: '<p>Long ago</p>', date, datePrecision: 'minute', collectionIds })
    }
    return kyoto
  })
  .extend('page', async ({ kyoto, openPage }) => (await openPage({ as: kyoto.as('ada') })).page)

/** On a busy machine what a person waits a moment for takes longer. */
const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000, interval: 250 })

const field = (page: Page) => page.getByRole('combobox', { name: 'Jump to anything' })
/** Text of the active line, without initials and symbols. */
const active = (page: Page) =>
  page.getByRole('option', { selected: true }).evaluate((option) => {
    const copy = option.cloneNode(true) as HTMLElement
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
    return copy.textContent
  })
const view = (page: Page) => new URL(page.url()).pathname
const at = (page: Page, { collection }: World, name: string) => page.goto(`/collections/${name}?c=${collection.id}`)

/** Whether the page has long been there or has only begun to load. */
async function summon(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await field(page).waitFor()
}

async function jump(page: Page, words: string, to: string | RegExp): Promise<void> {
  await summon(page)
  await page.keyboard.type(words)
  await poll(() => active(page)).toMatch(to)
  await page.keyboard.press('Enter')
  await field(page).waitFor({ state: 'hidden' })
}

test('The palette opens views, collections, people, posts and dates by keys', async ({ kyoto, page }) => {
  await at(page, kyoto, 'media')
  await jump(page, 'time', /^Timeline/)
  await poll(() => view(page)).toBe('/collections/timeline')
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await jump(page, 'grandm', /^Grandmother/)
  await page.getByRole('list', { name: 'Active filters' }).getByText('Grandmother').waitFor()
  await jump(page, 'harb', /^Harbour walk/)
  const reader = page.getByRole('dialog', { name: 'Harbour walk' })
  await reader.waitFor()
  expect(new URL(page.url()).searchParams.get('people')).toBeNull()
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'hidden' })
  await page.getByRole('article', { name: 'Harbour walk' }).waitFor()
  await summon(page)
  await page.keyboard.type('march 2024')
  await page.getByRole('option', { name: /March 2024 in Timeline/ }).click()
  await field(page).waitFor({ state: 'hidden' })
  await poll(() => new URL(page.url()).hash).toBe('#day-2024-03-10')
  await jump(page, 'lisb', /^Lisbon/)
  await page.getByRole('button', { name: 'Collection: Lisbon' }).first().waitFor()
})

test('Actions of the palette open their dialogs, and the focus returns', async ({ kyoto, page }) => {
  await at(page, kyoto, 'timeline')
  await page.getByRole('article').first().waitFor()
  await jump(page, 'new ev', /^New event/)
  await page.getByRole('dialog', { name: 'New event' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await jump(page, 'dark', /^Dark theme/)
  await poll(() => page.evaluate(() => document.documentElement.dataset.appearance)).toBe('dark')
  await page.getByRole('button', { name: 'Jump to anything' }).first().click()
  await field(page).waitFor()
  // The command used last comes first.
  await poll(() => active(page)).toMatch(/^Dark theme/)
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
  await poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Jump to anything/)
  await jump(page, 'system theme', /^System theme/)
})

test('Arrows wrap around in the palette, and an unknown name is said to match nothing', async ({ kyoto, page }) => {
  await at(page, kyoto, 'timeline')
  await page.getByRole('article').first().waitFor()
  await summon(page)
  // Everybody is in the list: it grows no more.
  await page.getByRole('option', { name: /^Grandmother/ }).waitFor()
  const first = await active(page)
  await page.keyboard.press('ArrowUp')
  await poll(() => active(page)).not.toBe(first)
  await page.keyboard.press('ArrowDown')
  await poll(() => active(page)).toBe(first)
  await field(page).fill('%_\\"')
  await page.getByText(/^No results for/).waitFor()
  await page.keyboard.press('Escape')
})

test('Single-key shortcuts work outside of text fields and dialogs only', async ({ kyoto, page }) => {
  await at(page, kyoto, 'media')
  await summon(page)
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
  // The second of the two keys is late where the page was busy in between.
  await poll(async () => {
    if (view(page) === '/collections/timeline') return view(page)
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    return view(page)
  }).toBe('/collections/timeline')
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await dialog.waitFor()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('')
  await page.keyboard.type('gm?n')
  expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('gm?n')
  expect(view(page)).toBe('/collections/timeline')
})

test('J and K move through the timeline', async ({ kyoto, page }) => {
  await at(page, kyoto, 'timeline')
  await page.getByRole('article', { name: 'Harbour walk' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.closest('article')?.querySelector('h3')?.textContent ?? null)
  await page.keyboard.press('j')
  await poll(focused).toBe('First snow')
  await page.keyboard.press('j')
  await poll(focused).toBe('Harbour walk')
  await page.keyboard.press('k')
  await poll(focused).toBe('First snow')
})

test('The list of shortcuts is shown, and single-key shortcuts can be turned off', async ({ kyoto, page }) => {
  await at(page, kyoto, 'timeline')
  await summon(page)
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('G then M').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await list.getByRole('switch', { name: /single-key/i }).click()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await summon(page)
  expect(view(page)).toBe('/collections/timeline')
  await page.keyboard.press('Escape')
})

test('The palette opens from a phone’s top bar and offers a reader no action they may not use', async ({ kyoto, openPage }) => {
  const { page } = await openPage({ as: kyoto.as('bob'), viewport: PHONE, hasTouch: true, isMobile: true })
  await at(page, kyoto, 'timeline')
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Jump to anything' }).tap()
  await field(page).waitFor()
  expect(await page.getByRole('option', { name: /^(New note|Upload|Invite)/ }).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await field(page).fill('set')
  await page.getByRole('option', { name: /^Settings/ }).tap()
  await poll(() => view(page)).toBe('/collections/settings')
})
