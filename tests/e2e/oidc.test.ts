import { expect } from 'vitest'
import { WEB_BUILD } from '../../dev/build-web.ts'
import { test as app } from '../support/fixtures.ts'
import { startOidcStack } from '../support/oidc-stack.ts'
import { axeViolations } from '../support/people.ts'

const test = app
  // The service's own pages want a font from the internet.
  .extend('expectedErrors', () => [/net::ERR_/])
  .extend('own', { scope: 'file' }, async ({ browser: _ }, { onCleanup }) => {
    const own = await startOidcStack(WEB_BUILD)
    onCleanup(own.stop)
    return own
  })

test('A visitor signs in at the identity provider, reaches the page they asked for and signs out of both', async ({ openPage, own }) => {
  const { page } = await openPage({ at: '/profile/settings', baseURL: own.stack.origin })
  await page.waitForURL('**/login')
  const way = page.getByRole('link', { name: 'Continue with single sign-on' })
  await way.waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])

  await way.click()
  await page.getByPlaceholder('Enter any login').fill('ada')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
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
