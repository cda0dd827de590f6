import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailTo } from '../support/mail.ts'
import { openBrowser, type Person } from '../support/people.ts'
import { type Actor, PASSWORD, world } from '../support/world.ts'

let chromium: Awaited<ReturnType<typeof openBrowser>>
let visitor: Person
let ada: Actor
let collectionId: string

beforeAll(async () => {
  chromium = await openBrowser()
  const w = await world()
  ada = w.as('ada')
  collectionId = w.collection.id
})

afterAll(() => chromium?.close())

beforeEach(async () => {
  visitor = await chromium.person()
  return () => visitor.context.close()
})

async function signIn({ page }: Person, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a visitor is led to sign in and then to where they wanted to go', async () => {
  const { page } = visitor
  await page.goto(`/collections/settings?c=${collectionId}`)
  await page.waitForURL('**/login')
  await signIn(visitor, ada.email.toUpperCase(), PASSWORD)
  await page.waitForURL(`**/collections/settings?c=${collectionId}`)
  await page.getByRole('heading', { name: 'Members' }).waitFor()
})

test('a wrong password says so, keeps the address and lets one try again', async () => {
  const { page } = visitor
  await page.goto('/login')
  await signIn(visitor, ada.email, 'not the password')
  await page.getByText('E-mail or password is wrong').waitFor()
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ada.email)
  await signIn(visitor, ada.email, PASSWORD)
  await page.waitForURL('**/collections')
})

test('signing out ends the session, and the signed-in home leads to the collections', async () => {
  const { page } = visitor
  await page.goto('/login')
  await signIn(visitor, ada.email, PASSWORD)
  await page.waitForURL('**/collections')
  await page.goto('/')
  await page.waitForURL('**/collections')
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  // At once, while the server may still be asked: leaving the page does not keep the session alive.
  await page.goto('/login')
  await expect.poll(async () => (await visitor.context.cookies()).length).toBe(0)
  await page.goto('/collections')
  await page.waitForURL('**/login')
})

test('a tampered cookie is a sign-out, not an error', async () => {
  const { page, context } = visitor
  await page.goto('/login')
  await signIn(visitor, ada.email, PASSWORD)
  await page.waitForURL('**/collections')
  const cookies = (await context.cookies()).map((cookie) =>
    cookie.name.startsWith('session') ? { ...cookie, value: `${cookie.value.slice(0, -6)}AAAAAA` } : cookie,
  )
  await context.addCookies(cookies)
  await page.goto('/collections')
  await page.waitForURL('**/login')
})

test('a forgotten password is replaced by the link in the mail', async () => {
  const { page } = visitor
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  // The page it leads to has a field of the same name.
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(ada.email)
  await page.getByRole('button', { name: /send/i }).click()
  const { link } = await mailTo(ada.email, 'new password')
  await page.goto(link ?? '')
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click()
  await page.waitForURL('**/login')
  await signIn(visitor, ada.email, 'a brand new password')
  await page.waitForURL('**/collections')
})

test('an address that does not exist is called so', async () => {
  await visitor.page.goto('/no/such/page')
  await visitor.page.getByText('Page Not Found: /no/such/page', { exact: true }).waitFor()
})
