import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { boxOf, finger, focusedName, middleOf, tabTo } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** Feed, collections, toasts and what comes in from elsewhere, once with keys alone and once with a finger on a phone. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write', cleo: 'write' })
    await kyoto.as('bob').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [kyoto.collection.id] })
    for (const name of ['ada', 'cleo']) await kyoto.as(name).post('/api/collections', { name: `Lisbon of ${name}` })
    return kyoto
  })
  .extend('enter', ({ kyoto, openPage }) => async (name: string, options: BrowserContextOptions = {}): Promise<Person> => {
    const person = await openPage({ as: kyoto.as(name), at: '/feed', reducedMotion: 'reduce', ...options })
    await person.page.getByRole('link', { name: /^First snow/ }).waitFor()
    return person
  })

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

const until = <T>(see: () => T) => expect.poll(see, { timeout: 20_000 })
const pathOf = (page: Page) => new URL(page.url()).pathname
const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** As from the clipboard of a camera program. */
async function paste(page: Page): Promise<void> {
  const [name = ''] = await readdir(PICTURES)
  const bytes = [...(await readFile(path.join(PICTURES, name)))]
  await page.evaluate((given) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([Uint8Array.from(given)], 'pasted.jpg', { type: 'image/jpeg' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, bytes)
}

test('Keys alone open a new item from the feed, switch collections and undo a post', async ({ enter, kyoto }) => {
  const { page } = await enter('ada')
  await page.keyboard.press('j')
  await page.locator('article:focus').waitFor()
  await tabTo(page, /^First snow/)
  await page.keyboard.press('Enter')
  await until(() => pathOf(page)).toBe('/collections/timeline')
  await page.getByRole('article', { name: 'First snow' }).waitFor()

  await tabTo(page, /^Collection: Kyoto/)
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Lisbon of ada' }).waitFor()
  await page.keyboard.type('lisb')
  await page.getByRole('option', { name: 'Lisbon of ada', selected: true }).or(page.getByRole('option')).first().waitFor()
  await until(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Collection: Lisbon of ada' }).first().waitFor()
  const lisbon = asked(page, 'c')
  expect(lisbon).not.toBe(kyoto.collection.id)
  // The last one is remembered where no address says another.
  await page.goto('/collections/calendar')
  await until(() => asked(page, 'c')).toBe(lisbon)
  await page.getByRole('grid').first().waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()

  await tabTo(page, /^Collapse sidebar$/)
  await page.locator('[role=tooltip]', { hasText: 'Collapse sidebar' }).waitFor()
  await page.keyboard.press('Enter')
  await until(() => focusedName(page)).toBe('Expand sidebar')
  await page.reload()
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
  await tabTo(page, /^Expand sidebar$/)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await paste(page)
  await page.getByText('1 photo added').first().waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Open pasted.jpg' }).waitFor()
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByText('Mention a person').waitFor()
  await page.keyboard.press('Escape')
  await shortcuts.waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  const writing = page.getByRole('dialog', { name: 'New note' })
  await writing.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Control+Enter')
  const note = page.getByRole('article', { name: 'By keys' })
  await note.waitFor()
  await page.keyboard.press('F8')
  await tabTo(page, /^Close$/)
  await page.keyboard.press('Enter')
  await writing.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await note.waitFor({ state: 'detached' })
  expect(await axeViolations(page)).toEqual([])
})

test('A finger on a phone opens a new item from the feed, switches collections and swipes a toast away', async ({ enter }) => {
  const { page } = await enter('cleo', { viewport: PHONE, hasTouch: true, isMobile: true })
  const touch = await finger(page)
  await page.getByRole('link', { name: /^First snow/ }).tap()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: /^First snow/ }).waitFor()
  await page.goForward()
  await page.getByRole('button', { name: /^Collection: Kyoto/ }).tap()
  await page.getByRole('option', { name: 'Lisbon of cleo' }).tap()
  await page.getByRole('button', { name: /^Collection: Lisbon of cleo/ }).waitFor()
  const lisbon = asked(page, 'c')
  const views = page.getByRole('navigation', { name: 'Views', includeHidden: true })
  // The rail of a wide screen is not there unseen: it would be drawn, and asked for, with every page of a phone.
  expect(await views.count()).toBe(1)
  for (const view of ['Calendar', 'Media', 'Timeline']) {
    await views.getByRole('link', { name: view }).tap()
    await until(() => pathOf(page)).toBe(`/collections/${view.toLowerCase()}`)
    expect(asked(page, 'c')).toBe(lisbon)
  }
  await page.getByRole('button', { name: /^Collection: Lisbon of cleo/ }).tap()
  await page.getByRole('link', { name: 'Settings of Lisbon of cleo' }).tap()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

  // Everything that a key opens also has a button.
  const tap = async (thing: Locator) => {
    expect((await boxOf(thing)).height).toBeGreaterThanOrEqual(44)
    await thing.tap()
  }
  const toPalette = page.getByRole('button', { name: 'Jump to anything' })
  const field = page.getByRole('combobox', { name: 'Jump to anything' })
  await tap(toPalette)
  await until(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await tap(page.getByRole('button', { name: 'Cancel' }))
  await field.waitFor({ state: 'detached' })
  await until(() => toPalette.evaluate((button) => button === document.activeElement)).toBe(true)
  await tap(toPalette)
  await field.fill('shortcuts')
  await tap(page.getByRole('option', { name: /^Keyboard shortcuts/ }))
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByText('Mention a person').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await tap(shortcuts.getByRole('button', { name: 'Close' }))
  await shortcuts.waitFor({ state: 'detached' })
  const person = page.getByRole('button', { name: /^Cleo Test/ })
  await tap(person)
  await tap(page.getByRole('menuitem', { name: 'Keyboard shortcuts' }))
  await tap(shortcuts.getByRole('button', { name: 'Close' }))
  await shortcuts.waitFor({ state: 'detached' })
  await until(() => person.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.goto('/collections/timeline')
  await until(() => asked(page, 'c')).toBe(lisbon)

  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Import…' }).tap()
  const importing = page.getByRole('dialog', { name: /^Import/ })
  await importing.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await importing.getByRole('button', { name: 'Close' }).tap()
  await importing.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Note', exact: true }).tap()
  const writing = page.getByRole('dialog', { name: 'New note' })
  await writing.getByRole('textbox', { name: 'Title' }).fill('By touch')
  await writing.getByRole('button', { name: 'Post', exact: true }).tap()
  await writing.waitFor({ state: 'detached' })
  const toast = page.getByText('“By touch” added to Lisbon of cleo', { exact: true }).first()
  const at = await middleOf(toast)
  await touch.swipe(at, { x: at.x + 120, y: at.y })
  await toast.waitFor({ state: 'detached', timeout: 3_000 })
  await page.getByRole('article', { name: 'By touch' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})
