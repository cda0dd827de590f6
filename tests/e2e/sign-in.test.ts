import type { Route } from 'playwright-core'
import { expect, inject } from 'vitest'
import { newAddress, unconfirmed } from '../support/accounts.ts'
import { test as app } from '../support/fixtures.ts'
import { mailTo } from '../support/mail.ts'
import { type Person, signInAs, signUpInBrowser } from '../support/people.ts'
import { takenOver } from '../support/taken-over.ts'
import { withoutBootstrap } from '../support/without-bootstrap.ts'
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

test('The fragment of a page is kept through sign-in and registration', async ({ ada, visitor }) => {
  const { page } = visitor
  await page.goto('/profile/settings#tokens')
  await page.waitForURL('**/login')
  await signIn(visitor, ada.email, PASSWORD)
  await page.waitForURL('**/profile/settings#tokens')
  await visitor.context.clearCookies()
  // The link is followed within the app this time.
  await page.goto('/about')
  await takenOver(page)
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/feed?from=mail#newest', textContent: 'onward' })
    document.querySelector('.prose')?.append(link)
  })
  await page.getByRole('link', { name: 'onward' }).click()
  await page.waitForURL('**/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  // The page it leads to has a field of the same name.
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`bea-${crypto.randomUUID()}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/feed?from=mail#newest')
})

test.for<[string, (route: Route) => unknown]>([
  ['is outstanding', () => undefined],
  ['is an outage', (route) => route.fulfill({ status: 503, body: 'no' })],
])('Sign-in and registration can be read while every answer %s', async ([, answer], { visitor }) => {
  const { page } = visitor
  await page.route(/\/api\/auth\/(session|config)/, answer)
  for (const [path, action] of [
    ['/login', 'Sign in'],
    ['/register', 'Create account'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: action, exact: true }).waitFor({ timeout: 10_000 })
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org')
  }
})

test('A signed-in person whose session is confirmed late is led from sign-in to the page they asked for', async ({ ada, visitor }) => {
  const { page } = visitor
  await signInAs(visitor, ada)
  await visitor.context.addCookies([{ name: 'return-to', value: '%2Ffeed', url: inject('stack').origin }])
  const late = Promise.withResolvers<void>()
  await page.route('**/api/bootstrap*', async (route) => {
    await late.promise
    await route.continue()
  })
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
  late.resolve()
  await page.waitForURL('**/feed')
})

test('An outage of sign-in is shown with the first answer and ends by itself', async ({ visitor }) => {
  const { page } = visitor
  const message = 'The sign-in service is not responding. Try again in a moment.'
  const down = { status: 503, json: { success: false, error: { code: 'unavailable', message } } }
  // Only the first is answered.
  let asked = 0
  await withoutBootstrap(page)
  await page.route('**/api/auth/session', (route) => (asked++ === 0 ? route.fulfill(down) : undefined))
  await page.goto('/collections')
  await page.getByText(message).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Internal Server Error' }).waitFor()
  await page.unrouteAll()
  await page.waitForURL('**/login')
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
  await expect.poll(async () => (await visitor.context.cookies()).map(({ name }) => name)).toEqual(['device'])
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

test('The link that confirms an address names it, and confirms after a press in the browser that asked', async ({ visitor }) => {
  const { page } = visitor
  const email = newAddress()
  await signUpInBrowser(page, { firstName: 'Ada', lastName: 'Lovelace', email })
  const { link } = await mailTo(email, 'Confirm')
  await page.goto(link ?? '')
  await page.getByText(`Confirm that ${email} is your address.`).waitFor()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByText('Your e-mail address is confirmed', { exact: true }).waitFor()
  expect(await page.getByText('Confirm your e-mail address to see invitations').count()).toBe(0)
  await page.goto(link ?? '')
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('In another browser, the link that confirms an address asks for the password', async ({ visitor }) => {
  const { page } = visitor
  const { email, token } = await unconfirmed()
  await page.goto(`/verify-email?${new URLSearchParams({ token })}`)
  const password = page.getByLabel(`Password of ${email}`)
  await password.fill('not the password')
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByText('The password is wrong').waitFor()
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.waitForURL('**/login')
  await page.getByText('Your e-mail address is confirmed', { exact: true }).waitFor()
  await page.goto(`/verify-email?${new URLSearchParams({ token })}`)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
})

test('An unknown URL is reported as not found', async ({ visitor }) => {
  await visitor.page.goto('/no/such/page')
  await visitor.page.getByText('Page Not Found: /no/such/page', { exact: true }).waitFor()
})
