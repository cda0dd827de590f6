import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type World, world } from '../support/world.ts'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let person: Person
let page: Page

beforeAll(async () => {
  ;[chromium, w] = await Promise.all([openBrowser(), world()])
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

test('who invites is told whether the site wrote to them', async () => {
  await enter('ada', settings())
  const invite = async (email: string) => {
    await button('Invite somebody').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
  }
  await invite('mia@example.org')
  await notice('mia@example.org is invited').getByText('We have written to them').waitFor()
  await page.route('**/invites/invite', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), mailed: false } })
  })
  await invite('zoe@example.org')
  await notice('zoe@example.org is invited').getByText('This site sends no mail. Tell them to sign in with this address').waitFor()
  await button('Send again the invitation to zoe@example.org').click()
  await notice('zoe@example.org is invited again').getByText('This site sends no mail.').waitFor()
})
