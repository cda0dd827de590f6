import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { mailTo } from '../support/mail.ts'
import type { Person } from '../support/people.ts'
import { PASSWORD, world } from '../support/world.ts'

const test = app
  .extend('kyoto', () => world())
  .extend('ada', ({ kyoto }) => kyoto.as('ada'))
  .extend('visitor', ({ openPage }) => openPage())

async function signIn({ page }: Person, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('A visitor is sent to sign in and then to the page they asked for', async ({ ada, kyoto, visitor }) => {
  const { page } = visitor
  await page.goto(`/collections/settings?c=${kyoto.collection.id}`)
  await page.waitForURL('**/login')
  await signIn(visitor, ada.email.toUpperCase(), PASSWORD)
  await page.waitForURL(`**/collections/settings?c=${kyoto.collection.id}`)
  await page.getByRole('heading', { name: 'Members' }).waitFor()
})

test('A wrong password is reported, and the e-mail address stays for another attempt', async ({ ada, visitor }) => {
  const { page } = visitor
  await page.goto('/login')
  await signIn(visitor, ada.email, 'not the password')
  await page.getByText('E-mail or password is wrong').waitFor()
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ada.email)
  await signIn(visitor, ada.email, PASSWORD)
  await page.waitForURL('**/collections')
})

test('Signing out ends the session, and the home page leads a signed-in person to their collections', async ({ ada, visitor }) => {
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

test('A tampered session cookie signs out without an error', async ({ ada, visitor }) => {
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

test('A forgotten password is replaced by the link in the e-mail', async ({ ada, visitor }) => {
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

test('An unknown URL is reported as not found', async ({ visitor }) => {
  await visitor.page.goto('/no/such/page')
  await visitor.page.getByText('Page Not Found: /no/such/page', { exact: true }).waitFor()
})
