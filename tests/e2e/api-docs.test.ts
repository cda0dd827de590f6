import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeViolations, openBrowser, PHONE } from '../support/people.ts'

let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test.each([
  ['light', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['on a phone', { viewport: PHONE }],
])('the page of the API is styled, readable and complete (%s)', async (_what, options) => {
  const { page, errors } = await browser.person(options)
  await page.goto('/api/docs')
  await page.getByRole('heading', { level: 1, name: 'Cairn API' }).waitFor()
  // The policy lets the page's own style through, and nothing else was tried.
  expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe('0px')
  await page.getByText('/api/post', { exact: true }).first().click()
  await page
    .getByText('createPost', { exact: true })
    .or(page.getByText('listPosts', { exact: true }))
    .first()
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})

test('the page of the API has nothing that axe finds wrong', async () => {
  const { page } = await browser.person({ bypassCSP: true })
  await page.goto('/api/docs')
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true
  })
  expect(await axeViolations(page)).toEqual([])
})
