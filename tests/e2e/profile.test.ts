import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { test as app } from '../support/fixtures.ts'
import { mailTo } from '../support/mail.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { boxOf, focusedName, tabTo } from '../support/reach.ts'
import { reseal } from '../support/sessions.ts'
import { scriptOf, TokenClient } from '../support/tokens.ts'
import { type Actor, PASSWORD, register, world } from '../support/world.ts'

const test = app
  .extend('opened', ({ openPage }) => async (actor: Actor, options = {}) => {
    const person = await openPage({ as: actor, at: '/profile/settings', ...options })
    await section(person.page, 'Access tokens').getByRole('button', { name: 'New token' }).waitFor()
    return person
  })
  /** At the settings of a person who owns two collections, is signed in on another device, and signed in here long ago. */
  .extend('entered', ({ openPage }) => async (options: BrowserContextOptions = {}) => {
    const kyoto = await world()
    const ada = kyoto.as('ada')
    await ada.post('/api/collections', { name: 'Lisbon' })
    const other = new Client(ada.origin)
    await other.post('/api/auth/sign-in', { email: ada.email, password: PASSWORD }, { headers: { 'user-agent': PIXEL } })
    await reseal(ada, { provenAt: Date.now() - 60 * 60_000 })
    const person = await openPage({ as: ada, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...options })
    const files: string[] = []
    person.page.on('download', (download) => files.push(download.suggestedFilename()))
    await person.page.goto('/profile/settings')
    await devices(person.page).getByText('Chrome on Android').waitFor()
    return { ...person, kyoto, other, files }
  })

const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('A new access token asks for the password after a while, is shown once, and is revoked', async ({ opened }) => {
  const ada = await register('ada')
  await reseal(ada, { provenAt: Date.now() - 60 * 60_000 })
  const { page } = await opened(ada)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Backup')
  await page.keyboard.press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill('not my password')
  await proof.getByRole('button', { name: 'Continue' }).click()
  await proof.getByText('The password is wrong').waitFor()
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await proof.getByRole('button', { name: 'Continue' }).click()
  const secret = page.getByRole('textbox', { name: 'Access token' })
  await poll(() => secret.inputValue()).toMatch(/^cairn_/)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  const list = page.getByRole('list', { name: 'Access tokens' })
  await list.getByText('not used yet').waitFor()
  await page.getByRole('button', { name: 'Revoke Backup' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You have no access tokens.').waitFor()
})

test('Another device is signed out from the list of devices', async ({ opened }) => {
  const ada = await register('ada')
  const phone = new Client(ada.origin)
  const agent = 'Mozilla/5.0 (Linux; Android 16) Chrome/156.0 Mobile Safari/537.36'
  await phone.post('/api/auth/sign-in', { email: ada.email, password: PASSWORD }, { headers: { 'user-agent': agent } })
  const { page } = await opened(ada)
  const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  await poll(() => devices.count()).toBe(2)
  await page.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
  await poll(() => devices.count()).toBe(1)
  expect((await phone.post('/api/auth/refresh')).status).toBe(401)
})

test('The password is changed, and a wrong one is reported at its field', async ({ opened }) => {
  const ada = await register('ada')
  const { page } = await opened(ada)
  const form = section(page, 'E-mail and password')
  await form.getByLabel('Current password').fill('not my password')
  await form.getByLabel('New password').fill('a better password')
  await form.getByRole('button', { name: 'Change password' }).click()
  await form.getByText('The password is wrong').waitFor()
  await form.getByLabel('Current password').fill(PASSWORD)
  await form.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').first().waitFor()
  const { status } = await new Client(ada.origin).post('/api/auth/sign-in', { email: ada.email, password: 'a better password' })
  expect(status).toBe(200)
})

test('An address that is confirmed in another tab is the address of the account in an open one, also where the account is deleted', async ({
  opened,
}) => {
  const ada = await register('ada')
  const next = `next-${ada.email}`
  const { page, context } = await opened(ada)
  const form = section(page, 'E-mail and password')
  await form.getByRole('textbox', { name: 'E-mail' }).fill(next)
  await form.getByRole('button', { name: 'Change e-mail' }).click()
  const sent = form.getByText(`Until you confirm it, ${ada.email} remains your address.`)
  await sent.waitFor()
  const other = await context.newPage()
  await other.goto((await mailTo(next, 'Confirm')).link ?? '')
  await other.getByRole('button', { name: 'Confirm address' }).click()
  await other.getByText('Your e-mail address is confirmed', { exact: true }).waitFor()
  await sent.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete account…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: `Type ${next} to continue` })
    .waitFor()
})

test('Someone who is no longer in the collections of others can delete what they added there with their account', async ({ opened }) => {
  const kyoto = await world({ bob: 'write' })
  const bob = kyoto.as('bob')
  await bob.post('/api/post', { type: 'note', title: 'Lunch', collectionIds: [kyoto.collection.id] })
  const posts = async () => (await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)).body.posts
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${bob.id}`)
  expect(await posts()).toHaveLength(1)
  const { page } = await opened(bob)
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('radio', { name: 'Delete them' }).click()
  await dialog.getByRole('textbox').fill(bob.email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/profile'))
  await poll(posts).toEqual([])
})

test('Home zones that could not be loaded are asked for again, and two that are removed quickly are both gone', async ({
  openPage,
  expectedErrors,
}) => {
  const ada = await register('ada')
  const zones = ['Home', 'Work'].map((name) => ({ name, lat: 60.39, lon: 5.32, radius: 1_000 }))
  expect((await ada.put('/api/users/zones', { zones })).status).toBe(200)
  expectedErrors.push(/500/)
  const { page } = await openPage({ as: ada })
  let fails = true
  const bothPressed = Promise.withResolvers<void>()
  await page.route('**/api/users/zones', async (route) => {
    if (fails) return route.fulfill({ status: 500, json: {} })
    if (route.request().method() === 'PUT') await bothPressed.promise
    await route.continue()
  })
  await page.goto('/profile/settings')
  const part = section(page, 'Home zones')
  const again = part.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  fails = false
  await again.click()
  await part.getByRole('button', { name: 'Remove Home' }).click()
  await part.getByRole('button', { name: 'Remove Work' }).click()
  bothPressed.resolve()
  await part.getByRole('listitem').first().waitFor({ state: 'detached' })
  await poll(async () => (await ada.get('/api/users/zones')).body.zones).toEqual([])
  await poll(() => page.evaluate(() => document.activeElement?.id)).toBe('home-zones')
})

test('The account is deleted on a phone after naming what becomes of its collection', async ({ opened }) => {
  const kyoto = await world({ bob: 'read' })
  const { page } = await opened(kyoto.as('ada'), { viewport: PHONE, hasTouch: true })
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('link', { name: 'Transfer Kyoto' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Delete this collection' }).click()
  await dialog.getByRole('textbox').fill(kyoto.as('ada').email)
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/profile'))
  expect((await kyoto.as('bob').get('/api/collections')).body.collections).toEqual([])
  const kept = () => page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.startsWith('cairn-content-')))
  await poll(kept).toEqual([])
})

test('Names that are not saved yet stay in their forms when the pages are left', async ({ openPage }) => {
  const kyoto = await world()
  const { page } = await openPage({ as: kyoto.as('ada'), at: `/collections/settings?c=${kyoto.collection.id}` })
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Kyoto in winter')
  await page.getByRole('link', { name: 'Media', exact: true }).first().click()
  await name.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await poll(() => name.inputValue()).toBe('Kyoto in winter')
  await page.getByRole('button', { name: 'Discard' }).click()
  await poll(() => name.inputValue()).toBe('Kyoto')

  await page.goto('/profile/settings')
  const first = page.getByRole('textbox', { name: 'First name' })
  await first.fill('Augusta')
  await page.getByRole('link', { name: 'Cairn: all collections' }).click()
  await first.waitFor({ state: 'detached' })
  await page.goBack()
  await poll(() => first.inputValue()).toBe('Augusta')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Profile saved', { exact: true }).waitFor()
})

test('The index of the profile leads to a section by keys', async ({ opened }) => {
  const { page } = await opened(await register('ada'))
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Access', exact: true })
  await link.focus()
  await page.keyboard.press('Enter')
  await poll(() => page.evaluate(() => document.activeElement?.id)).toBe('access')
})

test('The index of the profile marks the section that was chosen, and at the end of the page the last', async ({ opened }) => {
  const { page } = await opened(await register('ada'))
  const index = page.getByRole('navigation', { name: 'Sections' })
  const marked = () => index.locator('[aria-current]').allTextContents()
  for (const name of ['Account', 'Export', 'Storage']) {
    await index.getByRole('link', { name, exact: true }).click()
    await poll(marked).toEqual([name])
  }
  await page.mouse.move(800, 400)
  await page.mouse.wheel(0, -100_000)
  await poll(marked).toEqual(['You'])
  await page.mouse.wheel(0, 100_000)
  await poll(marked).toEqual(['Account'])
})

const PIXEL = 'Mozilla/5.0 (Linux; Android 16) Chrome/156.0 Mobile Safari/537.36'

const devices = (page: Page) => page.getByRole('list', { name: 'Devices' })
const told = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const tokens = (page: Page) => page.getByRole('list', { name: 'Access tokens' })
const focusedSection = (page: Page) => page.evaluate(() => document.activeElement?.id)
const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })
const signedOut = async (client: Client) => (await client.post('/api/auth/refresh')).status === 401

/** The token in the dialog and in the clipboard. */
async function copiedSecret(page: Page): Promise<string> {
  const secret = await page.getByRole('textbox', { name: 'Access token' }).inputValue()
  expect(secret).toMatch(/^cairn_/)
  await poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  return secret
}

test('Keys alone sign out another device, make and revoke a token, and export all collections', async ({ entered }) => {
  const { page, kyoto, other, files } = await entered()
  await tabTo(page, /^Sign out Chrome on Android$/)
  await page.keyboard.press('Enter')
  await told(page, 'Chrome on Android has been signed out')
  await devices(page).getByText('Chrome on Android').waitFor({ state: 'detached' })
  // The button is gone, and the keys go on from where it was.
  await poll(() => focusedSection(page)).toBe('devices')
  expect(await signedOut(other)).toBe(true)

  await tabTo(page, /^New token$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New access token' }).waitFor()
  await poll(() => focusedName(page)).toBe('Name')
  await page.keyboard.type('Backup')
  await tabTo(page, /^Read$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.getByRole('radio', { name: 'Read and write', checked: true }).waitFor()
  await tabTo(page, /^Expiry$/)
  await page.keyboard.press('a')
  await poll(() => page.getByRole('combobox', { name: 'Expiry' }).inputValue()).toBe('365')
  await page.keyboard.press('Shift+Tab')
  await poll(() => focusedName(page)).toBe('Collections')
  await page.keyboard.press('L')
  await page.getByText('The token stops working when this collection is deleted.').waitFor()
  await tabTo(page, /^Create token$/)
  await page.keyboard.press('Enter')
  await proof(page).waitFor()
  await poll(() => focusedName(page)).toBe('Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await poll(() => focusedName(page)).toBe('Access token')
  await tabTo(page, /^Copy$/)
  await page.keyboard.press('Enter')
  await told(page, 'Token copied')
  const script = new TokenClient(other.origin, await copiedSecret(page))
  expect(await axeViolations(page)).toEqual([])
  await tabTo(page, /^Done$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await poll(() => focusedName(page)).toBe('New token')
  await tokens(page)
    .getByText(/^Read and write in “Lisbon” · expires .+ · not used yet$/)
    .waitFor()
  expect((await script.get('/api/collections')).body.collections).toEqual([expect.objectContaining({ name: 'Lisbon' })])

  await page.keyboard.press('Shift+Tab')
  await poll(() => focusedName(page)).toBe('Revoke Backup')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Revoke “Backup”?' }).waitFor()
  await poll(() => focusedName(page)).toBe('Cancel')
  await tabTo(page, /^Revoke$/)
  await page.keyboard.press('Enter')
  await told(page, 'Backup revoked')
  await page.getByText('You have no access tokens.').waitFor()
  await poll(() => focusedSection(page)).toBe('tokens')
  expect((await script.get('/api/collections')).status).toBe(401)

  await tabTo(page, /^Export Lisbon$/)
  await page.keyboard.press('Enter')
  await poll(() => files.map(nameOnly)).toEqual(['Lisbon'])
  await tabTo(page, /^Export all 2$/)
  await page.keyboard.press('Enter')
  await poll(() => files.map(nameOnly).toSorted()).toEqual(['Kyoto', 'Lisbon', 'Lisbon'])
  await page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  await page.getByRole('link', { name: 'Export Kyoto' }).waitFor()
  await tabTo(page, /^Export Kyoto$/)
  await page.keyboard.press('Enter')
  await poll(() => files.length).toBe(4)
})

test('The focus stays in the section it moved to when a row of another disappears', async ({ opened }) => {
  const ada = await register('ada')
  await scriptOf(ada, 'read')
  await new Client(ada.origin).post('/api/auth/sign-in', { email: ada.email, password: PASSWORD }, { headers: { 'user-agent': PIXEL } })
  const { page } = await opened(ada, { reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Revoke read script' }).waitFor()
  await tabTo(page, /^Sign out Chrome on Android$/)
  await page.keyboard.press('Enter')
  await told(page, 'Chrome on Android has been signed out')
  await poll(() => focusedSection(page)).toBe('devices')
  // At once, while the list of devices may still be looking for a focus that went with its row.
  await page.getByRole('button', { name: 'Revoke read script' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('You have no access tokens.').waitFor()
  await poll(() => focusedSection(page)).toBe('tokens')
})

const nameOnly = (file: string) => /^\w+/.exec(file)?.[0]

test('A finger on a phone signs out another device, makes and revokes a token, and exports all collections', async ({ entered }) => {
  const { page, other, files } = await entered({ viewport: PHONE, hasTouch: true, isMobile: true })
  const tap = async (thing: Locator) => {
    expect((await boxOf(thing)).height).toBeGreaterThanOrEqual(44)
    await thing.tap()
  }
  const press = (name: string) => tap(page.getByRole('button', { name, exact: true }))
  await press('Sign out Chrome on Android')
  await devices(page).getByText('Chrome on Android').waitFor({ state: 'detached' })
  expect(await signedOut(other)).toBe(true)

  await press('New token')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Backup')
  await tap(page.getByRole('radio', { name: 'Read and write' }))
  await page.getByRole('combobox', { name: 'Expiry' }).selectOption('Until I revoke it')
  await press('Create token')
  await proof(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await tap(proof(page).getByRole('button', { name: 'Continue' }))
  await proof(page).waitFor({ state: 'detached' })
  await press('Copy')
  await told(page, 'Token copied')
  const script = new TokenClient(other.origin, await copiedSecret(page))
  expect(await axeViolations(page)).toEqual([])
  await press('Done')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tokens(page).getByText('Read and write · never expires · not used yet').waitFor()
  expect((await script.get('/api/collections')).status).toBe(200)
  await press('Revoke Backup')
  await press('Revoke')
  await page.getByText('You have no access tokens.').waitFor()
  expect((await script.get('/api/collections')).status).toBe(401)

  await tap(page.getByRole('link', { name: 'Export Lisbon' }))
  await poll(() => files.map(nameOnly)).toEqual(['Lisbon'])
  await press('Export all 2')
  await poll(() => files.map(nameOnly).toSorted()).toEqual(['Kyoto', 'Lisbon', 'Lisbon'])
  await press('Show all shortcuts')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await tap(shortcuts.getByRole('button', { name: 'Close' }))
  await shortcuts.waitFor({ state: 'detached' })
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})

test('A name that was changed on another device shows in an open tab, and after a reload of one that was closed', async ({ openPage }) => {
  const ada = await register('ada')
  const { page } = await openPage({ as: ada })
  const greeted = page.waitForEvent('websocket').then((own) => own.waitForEvent('framereceived'))
  await page.goto('/profile/settings')
  await greeted
  const firstName = page.getByRole('textbox', { name: 'First name' })
  await poll(() => firstName.inputValue()).toBe('Ada')
  await ada.put('/api/users/profile', { firstName: 'Adele' })
  await poll(() => firstName.inputValue()).toBe('Adele')
  await page
    .getByRole('button', { name: /Adele Test.*profile/ })
    .first()
    .waitFor()
  await page.goto('/blog')
  await ada.put('/api/users/profile', { firstName: 'Adelheid' })
  await page.goto('/collections')
  await page
    .getByRole('button', { name: /Adelheid Test.*profile/ })
    .first()
    .waitFor()
})

test('Date settings that were changed elsewhere while no tab was open show after a reload', async ({ openPage }) => {
  const w = await world()
  const ada = w.as('ada')
  const { page } = await openPage({ as: ada, locale: 'en-GB' })
  await ada.put('/api/users/profile', { region: 'GB', hours: 24, timeZone: 'UTC' })
  await ada.post('/api/post', {
    ...{ type: 'note', title: 'Lunch', date: '2026-05-03T13:30:00Z', dateZone: 'UTC', datePrecision: 'minute' },
    collectionIds: [w.collection.id],
  })
  const timeline = `/collections/timeline?c=${w.collection.id}`
  await page.goto(timeline)
  await page.getByText(/13:30/).first().waitFor()
  await page.goto('/blog')
  await ada.put('/api/users/profile', { region: 'US', hours: 12 })
  await page.goto(timeline)
  await page
    .getByText(/1:30 PM/)
    .first()
    .waitFor()
})
