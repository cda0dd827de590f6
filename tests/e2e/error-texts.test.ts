import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { withoutBootstrap } from '../support/without-bootstrap.ts'
import { world } from '../support/world.ts'

// Every error text of the app, as a user sees it: the network is cut, an answer is damaged on its way, or the database refuses to write, so that the
// worker answers 500. Texts that no screen can show are tested beside their code. Routes and the error page: navigation.test.ts and
// pages-trouble.test.ts. Members and invitations: error-texts-members.test.ts.

const test = app
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED/])
  .extend('kyoto', { scope: 'file' }, () => world())
  .extend('page', async ({ kyoto, openPage }) => (await openPage({ as: kyoto.as('ada') })).page)
  /** Makes the database refuse what Ada writes into the table, and nobody else's. */
  .extend('breakWrites', ({ kyoto }, { onCleanup }) => {
    onCleanup(() => kyoto.sql.query('drop function if exists refuse_ada() cascade').then(() => undefined))
    return async (table: 'users' | 'collections', person: 'id' | 'user_id'): Promise<void> => {
      const { id } = kyoto.as('ada')
      await kyoto.sql.query(`create or replace function refuse_ada() returns trigger language plpgsql as $$
        begin
          if new.${person} = '${id}' then raise exception 'refused by a test'; end if;
          return new;
        end $$`)
      await kyoto.sql.query(`create trigger refuse_ada before insert or update on ${table} for each row execute function refuse_ada()`)
    }
  })
  .extend(
    'shown',
    ({ page }) =>
      (text: string | RegExp) =>
        page.getByText(text, typeof text === 'string' ? { exact: true } : {}).waitFor(),
  )
  .extend(
    'media',
    ({ kyoto }) =>
      () =>
        `/collections/media?c=${kyoto.collection.id}`,
  )
  .extend(
    'settings',
    ({ kyoto }) =>
      () =>
        `/collections/settings?c=${kyoto.collection.id}`,
  )
  /** The page may try by itself meanwhile, and then there is nothing left to press. */
  .extend('tryAgain', ({ page }) => async (text: string): Promise<void> => {
    const pressed = page.getByRole('button', { name: 'Try again' }).click()
    const gone = page.getByText(text).waitFor({ state: 'detached' })
    await Promise.race([pressed, gone])
    pressed.catch(() => undefined)
    await gone
  })
  .extend('rename', ({ page }) => async (): Promise<void> => {
    await page.goto('/profile/settings')
    await page.getByRole('textbox', { name: 'First name' }).fill('Augusta')
    await page.getByRole('button', { name: 'Save changes' }).click()
  })
  /** The server answers a change, and does not say what it must of it. */
  .extend('answerTo', ({ page }) => async (path: string, body: object): Promise<void> => {
    await page.route(path, (route) => (route.request().method() === 'PUT' ? route.fulfill({ json: body }) : route.continue()))
  })

const CUT = 'No connection. Check the network and try again.'
const BROKEN = 'Something went wrong on our side. Try again, and tell us if it keeps happening'

const cut = (route: Route) => route.abort('internetdisconnected')

test.for<[string, string, string, string]>([
  ['collections', '/collections', '**/api/collections', `Failed to fetch collections: ${CUT}`],
  ['invited collections', '/collections', '**/api/collections/invited', `Failed to fetch invited collections: ${CUT}`],
])('A failure to fetch %s is reported, and fetching succeeds once it can', async ([, path, call, text], { page, shown, tryAgain }) => {
  await withoutBootstrap(page)
  await page.route(call, cut)
  await page.goto(path)
  await shown(text)
  await page.unrouteAll()
  await tryAgain(text)
})

/** Loads the settings on a device that knows the user but not the profile, while the call about the session gets no answer. */
async function withoutProfile(page: Page, answer: (route: Route) => unknown): Promise<void> {
  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  await page.evaluate(() => localStorage.removeItem('profile'))
  await withoutBootstrap(page)
  await page.route('**/api/auth/session', () => {})
  await page.route('**/api/users/profile', answer)
  await page.reload()
}

test('A failure to fetch the profile is reported, and fetching succeeds once it can', async ({ page, shown, tryAgain }) => {
  await withoutProfile(page, cut)
  await shown(`Failed to fetch profile: ${CUT}`)
  await page.unrouteAll()
  await tryAgain(`Failed to fetch profile: ${CUT}`)
})

test('A failure to fetch content is reported in every view, and fetching succeeds once it can', async ({
  media,
  page,
  shown,
  tryAgain,
}) => {
  await withoutBootstrap(page)
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

test('An empty profile response is reported as a failure', async ({ page, shown }) => {
  await withoutProfile(page, (route) => route.fulfill({ json: null }))
  await shown('Failed to fetch profile: No profile data received')
})

test('A 401 for the profile leads to sign-in and reports no failure', async ({ page }) => {
  await page.goto('/profile/settings')
  await page.getByRole('textbox', { name: 'First name' }).waitFor()
  const error = { code: 'unauthenticated', message: 'Sign in first' }
  const answered = page.waitForResponse('**/api/users/profile')
  await page.route('**/api/users/profile', (route) => route.fulfill({ status: 401, json: { success: false, error } }))
  await page.reload()
  await answered
  await page.waitForURL('**/login')
  expect(await page.getByText(/Failed to fetch profile/).count()).toBe(0)
})

test('A profile that cannot be saved says why and keeps the typed text', async ({ breakWrites, page, rename, shown }) => {
  await breakWrites('users', 'id')
  await rename()
  await shown(`Failed to update profile: ${BROKEN}`)
  expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Augusta')
})

test('A profile whose save is answered without success or without a profile is not reported as saved', async ({
  answerTo,
  rename,
  shown,
}) => {
  for (const body of [{}, { success: true }, { profile: {} }]) {
    await answerTo('**/api/users/profile', body)
    await rename()
    await shown('Failed to update profile')
  }
})

test('Personal colours whose save is not confirmed are reset', async ({ answerTo, page }) => {
  await answerTo('**/api/users/theme', {})
  await page.goto('/profile/settings')
  const chosen = page.getByRole('radio', { name: 'Orange', checked: true })
  await chosen.waitFor()
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('listitem').getByText('Failed to update theme', { exact: true }).waitFor()
  await chosen.waitFor()
})

test('Collection colours whose save is not confirmed are not reported as saved', async ({ answerTo, kyoto, page, settings, shown }) => {
  await answerTo('**/api/collections/*/theme', {})
  await page.goto(settings())
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await shown('Failed to update collection theme')
  expect((await kyoto.as('ada').get(`/api/collections/${kyoto.collection.id}/theme`)).body.theme).toBeNull()
})

test('Personal colours that cannot be saved say why and are reset', async ({ breakWrites, page }) => {
  await page.goto('/profile/settings')
  const chosen = page.getByRole('radio', { name: 'Orange', checked: true })
  await chosen.waitFor()
  await breakWrites('users', 'id')
  await page.getByRole('radio', { name: 'Sky' }).click()
  await page.getByRole('listitem').getByText(`Failed to update theme: ${BROKEN}`, { exact: true }).waitFor()
  await chosen.waitFor()
  await page.getByRole('listitem').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('listitem').getByText('Failed to update theme').waitFor({ state: 'detached' })
})

test('Colours that cannot be fetched report nothing', async ({ page }) => {
  await withoutBootstrap(page)
  const asked = page.waitForRequest('**/api/users/theme')
  await page.route('**/api/users/theme', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/collections')
  await (await asked).response()
  await page.getByRole('link', { name: /Kyoto/ }).first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByText(/Failed|could not/).count()).toBe(0)
})

test('A collection whose name or colours cannot be saved reports each', async ({ breakWrites, page, settings, shown }) => {
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

test('An account that cannot be deleted says why, also where the dialog has no field for it', async ({ kyoto, page }) => {
  const message = 'You own “Lisbon”. Transfer them to another member, or choose to delete them'
  const error = { code: 'conflict', message, fields: { deleteCollections: '“Lisbon”' } }
  await page.route('**/api/users/profile', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 409, json: { success: false, error } }) : route.continue(),
  )
  await page.goto('/profile/settings')
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('checkbox', { name: 'Delete this collection' }).click()
  await dialog.getByRole('textbox').fill(kyoto.as('ada').email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText(`Failed to delete the account: ${message}`).waitFor()
})

test('A collection that cannot be created keeps the filled-in form', async ({ breakWrites, page }) => {
  await breakWrites('collections', 'user_id')
  await page.goto('/collections')
  await page.getByRole('button', { name: 'New collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nara')
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await dialog.getByText(`Failed to create collection: ${BROKEN}`, { exact: true }).waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Nara')
})

test('A collection that cannot be deleted stays', async ({ breakWrites, page, settings }) => {
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

test('Members that cannot be fetched leave the other settings usable', async ({ page, settings }) => {
  await withoutBootstrap(page)
  await page.route('**/members', cut)
  await page.goto(settings())
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await page.getByRole('alert').filter({ hasText: CUT }).waitFor()
})

test('Each section of the settings that cannot be fetched can be tried again', async ({ page, settings }) => {
  await page.route(/\/(notices|mail|calendar-link)$/, cut)
  await page.goto(settings())
  const sections = {
    Notifications: 'Notify me when others add items or comment',
    'Post by mail': 'Turn on',
    'Calendar link': 'Include notes',
  }
  const section = (title: string) => page.getByRole('region', { name: title, exact: true })
  for (const title of Object.keys(sections)) await section(title).getByText(CUT).waitFor()
  await page.unrouteAll()
  for (const [title, loaded] of Object.entries(sections)) {
    await section(title).getByRole('button', { name: 'Try again' }).click()
    await section(title).getByText(loaded).waitFor()
    await section(title).getByText(CUT).waitFor({ state: 'detached' })
  }
})
