import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { axeViolations, type Person, PHONE } from '../support/people.ts'
import { chooseFromMenu, focusedName, tabTo } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

/** Settings of a collection and of a person, once with keys alone and once with a finger on a phone. */

const test = app
  /** Ana in two notes, Anna in one of them, at the settings of their collection. */
  .extend('enter', ({ openPage }) => async (options: BrowserContextOptions = {}): Promise<Person & { kyoto: World }> => {
    const kyoto = await world()
    const ada = kyoto.as('ada')
    const add = async (name: string) =>
      (await ada.post(`/api/collections/${kyoto.collection.id}/people`, { name })).body.person.id as string
    const [ana, anna] = [await add('Ana'), await add('Anna')]
    for (const [title, peopleIds] of Object.entries({ One: [ana], Two: [ana, anna] }))
      await ada.post('/api/post', { type: 'note', title, collectionIds: [kyoto.collection.id], peopleIds })
    const person = await openPage({ as: ada, at: `/collections/settings?c=${kyoto.collection.id}`, reducedMotion: 'reduce', ...options })
    await row(person.page, 'Anna').waitFor()
    return { ...person, kyoto }
  })

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })

const row = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'People' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
const worn = (page: Page) => page.evaluate(() => document.documentElement.dataset.primary)
const saved = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

test('Keys alone rename and colour a collection, merge, rename and invite its people, and set preferences', async ({ enter }) => {
  const { page, kyoto } = await enter()
  await tabTo(page, /^Name$/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Nara')
  await tabTo(page, /^Find an icon$/)
  await page.keyboard.type('trop')
  await tabTo(page, /^Trophy$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Green$/)
  await page.keyboard.press('ArrowRight')
  // All of the screen wears it before it is saved.
  await until(() => worn(page)).toBe('emerald')
  await tabTo(page, /^Save changes$/)
  await page.keyboard.press('Enter')
  await saved(page, 'Saved')
  const nara = page.getByRole('button', { name: 'Collection: Nara' }).first()
  await nara.locator('use[href$="#trophy"]').waitFor({ state: 'attached' })

  await tabTo(page, /^More for Anna$/)
  await chooseFromMenu(page, /^Merge into/)
  const merging = page.getByRole('dialog')
  await merging.getByRole('radio', { name: 'Ana' }).waitFor()
  await tabTo(page, /Ana$/)
  await page.keyboard.press('Space')
  await merging.getByText('Ana (2 items) and Anna (1 item) become Ana with 2.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row(page, 'Anna').waitFor({ state: 'detached' })
  await page.getByText('Anna merged into Ana').first().waitFor()
  // Toasts are a key away.
  await page.keyboard.press('F8')
  await tabTo(page, /^Undo$/)
  await page.keyboard.press('Enter')
  await row(page, 'Anna').waitFor()

  await tabTo(page, /^More for Anna$/)
  await chooseFromMenu(page, /^Rename$/)
  await until(() => focusedName(page)).toBe('New name of Anna')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Anna Maria')
  await page.keyboard.press('Enter')
  await row(page, 'Anna Maria').waitFor()
  await until(() => focusedName(page)).toBe('More for Anna Maria')

  await tabTo(page, /^Invite Ana$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Invite Ana' }).getByRole('textbox', { name: 'E-mail' }).waitFor()
  await until(() => focusedName(page)).toMatch(/^E-mail/)
  await page.keyboard.type('ana@example.org')
  await page.keyboard.press('Enter')
  await row(page, 'Ana').getByText('Invited').waitFor()
  const { body } = await kyoto.as('ada').get(`/api/collections/${kyoto.collection.id}/invites`)
  expect(body.invites).toMatchObject([{ email: 'ana@example.org', role: 'read' }])
  expect(await axeViolations(page)).toEqual([])

  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await tabTo(page, /^First name$/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Adelaide')
  await page.keyboard.press('Enter')
  await saved(page, 'Profile saved')
  await tabTo(page, /^System$/)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await until(() => page.evaluate(() => document.documentElement.dataset.appearance)).toBe('dark')
  await tabTo(page, /^Orange$/)
  await page.keyboard.press('ArrowRight')
  await until(() => worn(page)).toBe('amber')
  await until(async () => (await kyoto.as('ada').get('/api/users/theme')).body.theme?.primary).toBe('amber')
  await tabTo(page, /^Single-key shortcuts/)
  await page.keyboard.press('Space')
  await page.getByRole('switch', { name: /^Single-key shortcuts/, checked: false }).waitFor()
})

test('The focus stays in a form whose changes are saved or discarded', async ({ enter }) => {
  const { page } = await enter()
  const type = async (field: RegExp, text: string) => {
    await tabTo(page, field)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  await type(/^Name$/, 'Nara')
  await tabTo(page, /^Save changes$/)
  await page.keyboard.press('Enter')
  await saved(page, 'Saved')
  expect(await focusedName(page)).toBe('Save changes')
  await type(/^Name$/, 'Osaka')
  await tabTo(page, /^Discard$/)
  await page.keyboard.press('Enter')
  await until(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Nara')
  expect(await focusedName(page)).toBe('Name')

  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await type(/^First name$/, 'Adelaide')
  await tabTo(page, /^Save changes$/)
  await page.keyboard.press('Enter')
  await saved(page, 'Profile saved')
  expect(await focusedName(page)).toBe('Save changes')
})

test('A finger on a phone renames and colours a collection, merges, renames and invites its people, and sets preferences', async ({
  enter,
}) => {
  const { page, kyoto } = await enter({ viewport: PHONE, hasTouch: true, isMobile: true })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nara')
  await page.getByRole('radio', { name: 'Trophy' }).tap()
  await page.getByRole('radio', { name: 'Rose' }).tap()
  await until(() => worn(page)).toBe('rose')
  await page.getByRole('switch', { name: /^Black as the main colour/ }).tap()
  await until(() => worn(page)).toBe('black')
  await page.getByRole('switch', { name: /^Black as the main colour/ }).tap()
  await page.getByRole('button', { name: 'Save changes' }).tap()
  await saved(page, 'Saved')
  expect((await kyoto.as('ada').get('/api/collections')).body.collections[0]).toMatchObject({
    name: 'Nara',
    icon: 'trophy',
    theme: { primary: 'rose', blackAsPrimary: false },
  })

  await page.getByRole('button', { name: 'More for Anna' }).tap()
  await page.getByRole('menuitem', { name: 'Merge into…' }).tap()
  await page.getByRole('dialog').getByText('Ana', { exact: true }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).tap()
  // A toast stays as long as it has the focus.
  await page.getByRole('button', { name: 'Undo' }).first().focus()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row(page, 'Anna').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).first().tap()
  await row(page, 'Anna').waitFor()
  await page.getByRole('button', { name: 'Invite Ana', exact: true }).tap()
  const inviting = page.getByRole('dialog', { name: 'Invite Ana' })
  await inviting.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.org')
  await inviting.getByRole('button', { name: 'Send invitation' }).tap()
  await row(page, 'Ana').getByText('Invited').waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)

  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).fill('Adelaide')
  await page.getByRole('button', { name: 'Save changes' }).tap()
  await saved(page, 'Profile saved')
  await page.getByRole('radio', { name: 'Dark' }).tap()
  await until(() => page.evaluate(() => document.documentElement.dataset.appearance)).toBe('dark')
  await page.getByRole('radio', { name: 'Teal' }).tap()
  await until(async () => (await kyoto.as('ada').get('/api/users/theme')).body.theme?.primary).toBe('teal')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})
