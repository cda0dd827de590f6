import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

// Spec §8 row by row (and what §5 says of the profile), as somebody sees it: the network is cut, an answer is spoilt on its way, or the database
// refuses to write, so that the worker answers 500. What no screen can show is tested beside its code: 'Overlay not found'
// (web/atoms/overlays.test.ts), 'Action' on a button (web/atoms/toasts.test.ts), 'densities must not be empty' (contract/*image*.test.ts), a size
// that cannot be read (worker/media/image-size.test.ts). Rows about routes and the error page: navigation.test.ts and pages-trouble.test.ts. Members and
// invitations: spec-texts-members.test.ts.

const CUT = 'No connection. Check the network and try again.'
const BROKEN = 'Something went wrong on our side. Try again, and tell us if it stays'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let ada: Person
let page: Page

beforeAll(async () => {
  ;[chromium, w] = await Promise.all([openBrowser(), world()])
})
afterAll(() => chromium?.close())
beforeEach(async () => {
  ada = await chromium.person()
  page = ada.page
  await signInAs(ada, w.as('ada'))
})
afterEach(async () => {
  await ada.context.close()
  await w.sql.query('drop function if exists refuse_ada() cascade')
})

const shown = (text: string | RegExp) => page.getByText(text, typeof text === 'string' ? { exact: true } : {}).waitFor()
const cut = (route: Route) => route.abort('internetdisconnected')
const media = () => `/collections/media?c=${w.collection.id}`
const settings = () => `/collections/settings?c=${w.collection.id}`

/** The database refuses what this person writes into the table, and nobody else's. */
async function breakWrites(table: 'users' | 'collections', person: 'id' | 'user_id'): Promise<void> {
  const { id } = w.as('ada')
  await w.sql.query(`create or replace function refuse_ada() returns trigger language plpgsql as $$
    begin
      if new.${person} = '${id}' then raise exception 'refused by a test'; end if;
      return new;
    end $$`)
  await w.sql.query(`create trigger refuse_ada before insert or update on ${table} for each row execute function refuse_ada()`)
}

test.each([
  ['profile', '/profile/settings', '**/api/users/profile', `Failed to fetch profile: ${CUT}`],
  ['collections', '/collections', '**/api/collections', `Failed to fetch collections: ${CUT}`],
  ['invited collections', '/collections', '**/api/collections/invited', `Failed to fetch invited collections: ${CUT}`],
])('%s that cannot be fetched are named, and fetched once they can be', async (_what, path, call, text) => {
  await page.route(call, cut)
  await page.goto(path)
  await shown(text)
  await page.unrouteAll()
  await tryAgain(text)
})

/** The page may try by itself meanwhile, and then there is nothing left to press. */
async function tryAgain(text: string): Promise<void> {
  const pressed = page.getByRole('button', { name: 'Try again' }).click()
  const gone = page.getByText(text).waitFor({ state: 'detached' })
  await Promise.race([pressed, gone])
  pressed.catch(() => undefined)
  await gone
}

test('content that cannot be fetched is named alike in every view, and fetched once it can be', async () => {
  await page.route(/\/api\/(asset|post)\?/, cut)
  await page.goto(media())
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  for (const [view, title] of Object.entries({ Map: 'Map', Calendar: /\d{4}$/, Timeline: 'Timeline', Media: 'Media' })) {
    await page.getByRole('link', { name: view, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor()
    await shown(`Failed to fetch collection content: ${CUT}`)
  }
  await again.focus()
  const failed = page.waitForEvent('requestfailed')
  await page.keyboard.press('Enter')
  await failed
  // It stays where it is, for the next attempt.
  await expect.poll(() => again.evaluate((button) => button === document.activeElement && !button.ariaBusy)).toBe(true)
  await page.unrouteAll()
  await tryAgain(`Failed to fetch collection content: ${CUT}`)
  await shown('No photos yet. Drop some anywhere.')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('a profile without anything in it is none', async () => {
  await page.route('**/api/users/profile', (route) => route.fulfill({ json: null }))
  await page.goto('/profile/settings')
  await shown('Failed to fetch profile: No profile data received')
})

test('a 401 to the profile is no failure of the profile, but leads to sign-in', async () => {
  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await page.evaluate(() => localStorage.removeItem('profile'))
  const error = { code: 'unauthenticated', message: 'Sign in first' }
  const answered = page.waitForResponse('**/api/users/profile')
  await page.route('**/api/users/profile', (route) => route.fulfill({ status: 401, json: { success: false, error } }))
  await page.reload()
  await answered
  await page.waitForURL('**/login')
  expect(await page.getByText(/Failed to fetch profile/).count()).toBe(0)
})

async function rename(): Promise<void> {
  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).fill('Augusta')
  await page.getByRole('button', { name: 'Save changes' }).click()
}

test('a profile that is not saved says why, and what was typed stays', async () => {
  await breakWrites('users', 'id')
  await rename()
  await shown(`Failed to update profile: ${BROKEN}`)
  expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Augusta')
})

/** The server answers a change, and does not say what it must of it. */
async function answerTo(path: string, body: object): Promise<void> {
  await page.route(path, (route) => (route.request().method() === 'PUT' ? route.fulfill({ json: body }) : route.continue()))
}

test.each([
  ['nothing', {}],
  ['success but no profile', { success: true }],
  ['a profile but no success', { profile: {} }],
])('a profile whose saving is answered with %s is not taken for saved', async (_what, body) => {
  await answerTo('**/api/users/profile', body)
  await rename()
  await shown('Failed to update profile')
})

test('colours whose saving is not confirmed are not taken for saved', async () => {
  await answerTo('**/api/users/theme', {})
  await page.goto('/profile/settings')
  const chosen = page.getByRole('radio', { name: 'Orange', checked: true })
  await chosen.waitFor()
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('listitem').getByText('Failed to update theme', { exact: true }).waitFor()
  await chosen.waitFor()
})

test('colours of a collection whose saving is not confirmed are not taken for saved', async () => {
  await answerTo('**/api/collections/*/theme', {})
  await page.goto(settings())
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await shown('Failed to update collection theme')
  expect((await w.as('ada').get(`/api/collections/${w.collection.id}/theme`)).body.theme).toBeNull()
})

test('colours that are not saved say why, and go back', async () => {
  await page.goto('/profile/settings')
  const chosen = page.getByRole('radio', { name: 'Orange', checked: true })
  await chosen.waitFor()
  await breakWrites('users', 'id')
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('listitem').getByText(`Failed to update theme: ${BROKEN}`, { exact: true }).waitFor()
  await chosen.waitFor()
  // What closes a toast.
  await page.getByRole('listitem').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('listitem').getByText('Failed to update theme').waitFor({ state: 'detached' })
})

test('colours that cannot be fetched are missed without a word', async () => {
  const asked = page.waitForRequest('**/api/users/theme')
  await page.route('**/api/users/theme', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/collections')
  await (await asked).response()
  await page.getByRole('link', { name: /Kyoto/ }).first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByText(/Failed|could not/).count()).toBe(0)
})

test('a collection whose name or colours are not saved says so, each in its own words', async () => {
  await page.goto(settings())
  await page.getByRole('radio', { name: 'Sky' }).click()
  await breakWrites('collections', 'user_id')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await shown(`Failed to update collection theme: ${BROKEN}`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kyōto')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await shown(`Failed to update collection: ${BROKEN}`)
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Kyōto')
})

test('a collection that is not made leaves the form as it was filled in', async () => {
  await breakWrites('collections', 'user_id')
  await page.goto('/collections')
  await page.getByRole('button', { name: 'New collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nara')
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await dialog.getByText(`Failed to create collection: ${BROKEN}`, { exact: true }).waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Nara')
})

test('a collection that is not deleted is still there', async () => {
  await breakWrites('collections', 'user_id')
  await page.goto(settings())
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Kyoto”?' })
  await dialog.getByRole('textbox').fill('Kyoto')
  await dialog.getByRole('button', { name: 'Delete collection' }).click()
  await page.getByRole('listitem').getByText('Failed to delete collection', { exact: true }).waitFor()
  await page.goto('/collections')
  await page.getByRole('link', { name: /Kyoto/ }).first().waitFor()
})

test('members that cannot be fetched leave the rest of the settings as they are', async () => {
  await page.route('**/members', cut)
  await page.goto(settings())
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await page.getByRole('alert').filter({ hasText: CUT }).waitFor()
})
