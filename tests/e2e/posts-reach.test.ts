import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Post } from '../../contract/posts.ts'
import { MAP_ARGS } from '../support/browser.ts'
import { jpegLike, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { chooseFromMenu, focusedName, tabTo } from '../support/reach.ts'
import { world } from '../support/world.ts'

/** A post with everything, once with keys alone and once with a finger on a phone; naming people in its text tags them. */

const test = app
  .extend('browserArgs', { scope: 'file' }, MAP_ARGS)
  .extend('kyoto', async () => {
    const kyoto = await world()
    const ada = kyoto.as('ada')
    const when = { date: '2024-04-01T10:00:00Z', datePrecision: 'minute' as const }
    for (const name of ['one.jpg', 'two.jpg'])
      await upload(ada, jpegLike(), { name, width: 40, height: 30, ...when, collectionIds: [kyoto.collection.id] })
    for (const name of ['Grandmother', 'Gustav']) await ada.post(`/api/collections/${kyoto.collection.id}/people`, { name })
    await ada.post('/api/collections', { name: 'Journeys' })
    return kyoto
  })
  .extend('enter', ({ kyoto, openPage }) => async (options: BrowserContextOptions = {}): Promise<Person> => {
    const person = await openPage({
      as: kyoto.as('ada'),
      at: `/collections/timeline?c=${kyoto.collection.id}`,
      reducedMotion: 'reduce',
      ...options,
    })
    await person.page.getByRole('button', { name: 'Open one.jpg' }).waitFor()
    return person
  })
  .extend('stored', ({ kyoto }) => async (title: string): Promise<Post | undefined> => {
    const { body } = await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)
    return body.posts.find((post: Post) => post.title === title)
  })
  .extend('namesIn', ({ kyoto }) => async (post: Post | undefined): Promise<string[]> => {
    const { body } = await kyoto.as('ada').get(`/api/collections/${kyoto.collection.id}/people`)
    return body.people.filter(({ id }: { id: string }) => post?.people.includes(id)).map(({ name }: { name: string }) => name)
  })

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })

const text = (dialog: Locator) => dialog.getByRole('textbox', { name: 'Text', exact: true })
const people = (page: Page) => page.getByRole('listbox', { name: 'People to tag' })

/** Opens a post of Ada's for somebody who may change only their own. */
async function readAsWriter(openPage: (opening: object) => Promise<Person>, options: BrowserContextOptions = {}) {
  const kyoto = await world({ bob: 'write' })
  const { body } = await kyoto.as('ada').post('/api/post', { type: 'note', title: 'The walk', collectionIds: [kyoto.collection.id] })
  const at = `/collections/timeline?c=${kyoto.collection.id}&item=${body.post.id}`
  const { page } = await openPage({ as: kyoto.as('bob'), at, reducedMotion: 'reduce', ...options })
  const reader = page.getByRole('dialog', { name: 'The walk' })
  await reader.getByRole('button', { name: 'Edit' }).waitFor()
  return { page, reader }
}

test('Keys alone write an event with every field, read it, edit it, trash it and undo that', async ({ enter, namesIn, stored }) => {
  const { page } = await enter()
  await tabTo(page, /^New$/)
  await chooseFromMenu(page, /^Event$/)
  const dialog = page.getByRole('dialog', { name: 'New event' })
  await text(dialog).waitFor()
  await page.keyboard.type('A week in the hills')

  await tabTo(page, /^Text$/)
  await page.keyboard.type('Fog, with @gra')
  await people(page).getByRole('option', { name: 'Grandmother', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await people(page).waitFor({ state: 'detached' })
  // The space behind the name is there already.
  await page.keyboard.type(' and @Uncle Yuki')
  const fresh = people(page).getByRole('option', { name: 'Add “Uncle Yuki”' })
  await fresh.waitFor()
  // Nobody new is made by the way.
  expect(await fresh.getAttribute('aria-selected')).toBe('false')
  await page.keyboard.press('ArrowDown')
  await people(page).getByRole('option', { name: 'Add “Uncle Yuki”', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Remove Uncle Yuki' }).waitFor()
  await page.keyboard.type('. @')
  await people(page).getByRole('option', { name: 'Gustav' }).waitFor()
  await page.keyboard.press('Escape')
  await people(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  expect(await axeViolations(page)).toEqual([])

  await tabTo(page, /^Choose from this collection$/)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /^Photo two\.jpg/ }).waitFor()
  await tabTo(page, /^Photo two\.jpg/)
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: /^two\.jpg, 1, the cover/ }).waitFor()
  await tabTo(page, /^Kind/)
  // One letter, and not two: a busy machine takes the second one for another word.
  await page.keyboard.press('c')
  await until(() => dialog.getByLabel('Kind').inputValue()).toBe('celebration')
  await tabTo(page, /^Day$/)
  await page.keyboard.type('05052026')
  await tabTo(page, /^Time \(optional\)$/)
  // Browsers that ask for it take the half of the day as well.
  await page.keyboard.type('0930A')
  await tabTo(page, /^Add end$/)
  await page.keyboard.press('Enter')
  await until(() => focusedName(page)).toBe('Last day')
  await page.keyboard.type('07072026')
  expect(await dialog.getByLabel('Last day').inputValue()).toBe('2026-07-07')
  await tabTo(page, /^Search for a place$/)
  await page.keyboard.type('Kyoto')
  await dialog
    .getByRole('option', { name: /^Kyoto/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Clear place' }).waitFor()
  await tabTo(page, /^Journeys$/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })

  await until(() => stored('A week in the hills')).toBeDefined()
  const post = await stored('A week in the hills')
  expect(post).toMatchObject({
    type: 'event',
    kind: 'celebration',
    body: '<p>Fog, with Grandmother and Uncle Yuki. </p>',
    date: expect.stringMatching(/^2026-05-05/),
    date_precision: 'minute',
    location: { name: expect.stringMatching(/^Kyoto/) },
    assets: [{ name: 'two.jpg' }],
  })
  expect(await namesIn(post)).toEqual(['Grandmother', 'Uncle Yuki'])
  expect(post?.collections).toHaveLength(2)

  await tabTo(page, /^A week in the hills$/)
  await page.keyboard.press('Enter')
  const reader = page.getByRole('dialog', { name: 'A week in the hills' })
  await reader.getByRole('list', { name: 'People' }).getByText('Uncle Yuki').waitFor()
  await page.keyboard.press('e')
  const editor = page.getByRole('dialog', { name: 'Edit event' })
  await text(editor).waitFor()
  await tabTo(page, /^Remove end$/)
  await page.keyboard.press('Enter')
  await until(() => focusedName(page)).toBe('Add end')
  await page.keyboard.press('Control+Enter')
  await editor.waitFor({ state: 'detached' })
  await until(async () => (await stored('A week in the hills'))?.ends_at).toBeNull()

  await tabTo(page, /^More$/)
  await chooseFromMenu(page, /^Move to trash$/)
  await reader.waitFor({ state: 'detached' })
  await until(() => stored('A week in the hills')).toBeUndefined()
  await page.keyboard.press('Control+z')
  await page.getByRole('article', { name: 'A week in the hills' }).waitFor()
  await until(() => stored('A week in the hills')).toBeDefined()
})

test('A finger on a phone writes a note with people, a photo and a location, trashes it and undoes that', async ({
  enter,
  namesIn,
  stored,
}) => {
  const { page } = await enter({ viewport: PHONE, hasTouch: true, isMobile: true })
  await page.getByRole('button', { name: 'New', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Note', exact: true }).tap()
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await text(dialog).waitFor()
  await dialog.getByRole('textbox', { name: 'Title' }).tap()
  await page.keyboard.type('Found by touch')
  await text(dialog).tap()
  await page.keyboard.type('Tea with @gu')
  const gustav = people(page).getByRole('option', { name: 'Gustav' })
  await gustav.waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect((await gustav.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await gustav.tap()
  await dialog.getByRole('button', { name: 'Remove Gustav' }).waitFor()
  // The keyboard stays where it was.
  await page.keyboard.type('today')
  await dialog.getByRole('button', { name: 'Choose from this collection' }).tap()
  await dialog.getByRole('button', { name: /^Photo one\.jpg/ }).tap()
  await dialog.getByRole('button', { name: /^one\.jpg, 1, the cover/ }).waitFor()
  await dialog.getByLabel('When').selectOption('year')
  await dialog.getByLabel('Year').fill('1987')
  await dialog.getByRole('button', { name: 'Choose on map' }).tap()
  await dialog.getByRole('button', { name: 'Use map centre' }).tap()
  await dialog.getByRole('button', { name: 'Clear place' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Journeys' }).tap()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Post', exact: true }).tap()
  await until(() => stored('Found by touch')).toMatchObject({
    body: '<p>Tea with Gustav today</p>',
    date_precision: 'year',
    assets: [{ name: 'one.jpg' }],
    location: { lat: expect.any(Number) },
  })
  const post = await stored('Found by touch')
  expect(await namesIn(post)).toEqual(['Gustav'])
  expect(post?.collections).toHaveLength(2)

  await page.getByRole('button', { name: 'Found by touch', exact: true }).tap()
  const reader = page.getByRole('dialog', { name: 'Found by touch' })
  await reader.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Move to trash' }).tap()
  await reader.waitFor({ state: 'detached' })
  // That it was made may still be told of, with a way back as well.
  const back = page.getByRole('listitem').filter({ hasText: 'moved to the trash' }).getByRole('button', { name: 'Undo' })
  await back.focus()
  await until(() => stored('Found by touch')).toBeUndefined()
  await back.tap()
  await until(() => stored('Found by touch')).toBeDefined()
})

test('A tap on a button that the role forbids shows why, and the next tap hides it', async ({ openPage }) => {
  const { page, reader } = await readAsWriter(openPage, { viewport: PHONE, hasTouch: true, isMobile: true })
  await reader.getByRole('button', { name: 'Edit' }).tap({ force: true })
  const why = page.getByRole('tooltip', { includeHidden: true })
  await why.getByText(/^Ada Test wrote this\. .*can change it\.$/).waitFor()
  await reader.getByRole('heading', { name: 'The walk' }).tap()
  await why.waitFor({ state: 'detached' })
  await reader.waitFor()
})

test('Keys reach the actions of a menu that the role forbids, and why, and cannot choose them', async ({ openPage }) => {
  const { page, reader } = await readAsWriter(openPage)
  await tabTo(page, /^More$/)
  await chooseFromMenu(page, /^Move to trash.*can delete it\.$/)
  await page.keyboard.press('Space')
  expect(await focusedName(page)).toMatch(/^Move to trash/)
  expect(await page.getByRole('menuitem', { disabled: true }).count()).toBeGreaterThan(0)
  await page.getByRole('menuitem', { name: /^Move to trash/ }).click({ force: true })
  expect(await page.getByRole('menu').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await reader.waitFor()
})
