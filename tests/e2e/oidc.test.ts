import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { WEB_BUILD } from '../../dev/build-web.ts'
import { test as app } from '../support/fixtures.ts'
import { sessionsOf, signInByService, startOidcStack } from '../support/oidc-stack.ts'
import { axeViolations } from '../support/people.ts'

const test = app
  // The service's own pages want a font from the internet.
  .extend('expectedErrors', () => [/net::ERR_/])
  .extend('own', { scope: 'file' }, async ({ browser: _ }, { onCleanup }) => {
    const own = await startOidcStack(WEB_BUILD)
    onCleanup(own.stop)
    return own
  })

async function signInAtService(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('A visitor signs in at the identity provider, reaches the page they asked for and signs out of both', async ({ openPage, own }) => {
  const { page } = await openPage({ at: '/profile/settings', baseURL: own.stack.origin })
  await page.waitForURL('**/login')
  const way = page.getByRole('link', { name: 'Continue with single sign-on' })
  await way.waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])

  await way.click()
  await signInAtService(page, 'ada')
  await page.waitForURL(`${own.stack.origin}/profile/settings`)
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${own.stack.origin}/login`)
  await way.waitFor()
})

test('A visitor who cancels at the identity provider is told why they are not signed in', async ({ openPage, own }) => {
  const { page } = await openPage({ at: '/register', baseURL: own.stack.origin })
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('Sign-in was cancelled').waitFor()
})

test('Making a calendar link long after signing in asks to sign in at the identity provider again, and returns to the same page', async ({
  openPage,
  own,
}) => {
  const { origin } = own.stack
  const sessions = sessionsOf(own.stack)
  const ada = await signInByService(origin)
  const { collection } = (await ada.post('/api/collections', { name: 'Kyoto' })).body
  const { cookies } = await sessions.holding(origin, { ...(await sessions.open(ada)), provenAt: Date.now() - 60 * 60_000 })
  const { page, context } = await openPage({ baseURL: origin })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })))
  const settings = `${origin}/collections/settings?c=${collection.id}#links`
  await page.goto(settings)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.waitFor()
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Sign in again' }).click()
  await signInAtService(page, ada.login)
  await page.waitForURL(settings)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('textbox', { name: 'Your link' }).waitFor()
})
