import { afterAll, beforeAll, expect, test } from 'vitest'
import { WEB_BUILD } from '../../dev/build-web.ts'
import { type OidcStack, startOidcStack } from '../support/oidc-stack.ts'
import { axeViolations, openBrowser } from '../support/people.ts'

let own: OidcStack
let chromium: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  ;[own, chromium] = await Promise.all([startOidcStack(WEB_BUILD), openBrowser()])
})
afterAll(async () => {
  await chromium?.close()
  await own?.stop()
})

test('a visitor signs in on the service’s pages, comes to where they wanted to go, and signs out of both', async () => {
  const { page, errors } = await chromium.person({ baseURL: own.stack.origin })
  await page.goto('/profile/settings')
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
  // The service's own pages want a font from the internet.
  expect(errors.filter((line) => !line.includes('net::ERR_'))).toEqual([])
})

test('somebody who turns back reads why they are not signed in', async () => {
  const { page } = await chromium.person({ baseURL: own.stack.origin })
  await page.goto('/register')
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('Sign-in was cancelled').waitFor()
})
