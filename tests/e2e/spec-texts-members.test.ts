import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

// Members and invitations, of whose failures spec §8 has no text (docs/decisions/026): what was to happen is named with the reason, and all
// stays as it was. Other rows: spec-texts.test.ts.

const CUT = 'No connection. Check the network and try again.'
const EVE = 'eve@example.org'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let person: Person
let page: Page

beforeAll(async () => {
  ;[chromium, w] = await Promise.all([openBrowser(), world({ bob: 'write', ivy: null })])
  for (const [email, role] of Object.entries({ [EVE]: 'read', [w.as('ivy').email]: 'read' }))
    await w.as('ada').post(`/api/collections/${w.collection.id}/invites/invite`, { email, role })
})
afterAll(() => chromium?.close())
beforeEach(async () => {
  person = await chromium.person()
  page = person.page
})
afterEach(() => person.context.close())

async function enter(name: string, path: string): Promise<void> {
  await signInAs(person, w.as(name))
  await page.goto(path)
}
const settings = () => `/collections/settings?c=${w.collection.id}`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const notice = (title: string) => page.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) })

/** Lists can be had, and nothing can be changed. */
async function cutWrites(): Promise<void> {
  const cut = (route: Route) => (route.request().method() === 'GET' ? route.fallback() : route.abort('internetdisconnected'))
  await page.route(/\/api\/collections\//, cut)
}

async function told(title: string): Promise<void> {
  await notice(title).getByText(CUT, { exact: true }).waitFor()
  // It goes by itself, too, and may be quicker.
  await notice(title)
    .getByRole('button', { name: 'Close' })
    .click({ timeout: 3_000 })
    .catch(() => undefined)
  await notice(title).waitFor({ state: 'detached' })
}

test('a role that is not changed and a member who is not removed are told of, and stay', async () => {
  await enter('ada', settings())
  await cutWrites()
  const role = page.getByRole('combobox', { name: 'Role of Bob Test' })
  await role.selectOption('read')
  await told('Failed to change the role')
  expect(await role.inputValue()).toBe('write')
  await button('Remove Bob Test').click()
  await button('Remove').click()
  await told('Failed to remove the member')
  await role.waitFor()
})

test('an invitation that is not sent or not cancelled is told of, and the form stays as it was filled in', async () => {
  await enter('ada', settings())
  await cutWrites()
  await button(`Send again the invitation to ${EVE}`).click()
  await told('Failed to send the invitation')
  await button(`Cancel the invitation to ${EVE}`).click()
  await told('Failed to cancel the invitation')
  await button(`Cancel the invitation to ${EVE}`).waitFor()
  await button('Invite someone').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('mia@example.org')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText(`Failed to send the invitation: ${CUT}`, { exact: true }).waitFor()
  expect(await dialog.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('mia@example.org')
})

test('a collection that is not given away is told of, and still has its owner', async () => {
  await enter('ada', settings())
  await cutWrites()
  await page.getByRole('combobox', { name: 'New owner' }).selectOption('Bob Test')
  await button('Transfer…').click()
  await button('Transfer').click()
  await told('Failed to transfer collection')
  await page.getByRole('heading', { name: 'Ownership' }).waitFor()
})

test('an invitation whose answer is not heard is told of, and waits for another', async () => {
  await enter('ivy', '/collections')
  await cutWrites()
  await button('Accept the invitation to Kyoto').click()
  await told('Failed to accept the invitation')
  await button('Decline the invitation to Kyoto').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await told('Failed to decline the invitation')
  await button('Accept the invitation to Kyoto').waitFor()
})

test('a collection that is not left is told of, and stays open', async () => {
  await enter('bob', settings())
  await cutWrites()
  await button('Leave…').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await told('Failed to leave the collection')
  await button('Leave…').waitFor()
})

test('who invites is told whether the site wrote to them', async () => {
  await enter('ada', settings())
  const invite = async (email: string) => {
    await button('Invite someone').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
  }
  await invite('mia@example.org')
  await notice('mia@example.org has been invited').getByText('We have sent them an e-mail').waitFor()
  await page.route('**/invites/invite', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mailed: false } })
  })
  await invite('zoe@example.org')
  await notice('zoe@example.org has been invited')
    .getByText('This site does not send e-mail. Ask them to sign in with this address')
    .waitFor()
  await button('Send again the invitation to zoe@example.org').click()
  await notice('zoe@example.org has been invited again').getByText('This site does not send e-mail.').waitFor()
})
