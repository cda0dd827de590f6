import type { BrowserContextOptions } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/fixtures.ts'
import { axeViolations, PHONE } from '../support/people.ts'

test.for<[string, BrowserContextOptions]>([
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: PHONE }],
])('The API documentation is styled, readable and complete (%s)', async ([, options], { openPage }) => {
  const { page } = await openPage({ at: '/api/docs', ...options })
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
})

test('The API documentation has no axe violations', async ({ openPage }) => {
  const { page } = await openPage({ at: '/api/docs', bypassCSP: true })
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true
  })
  expect(await axeViolations(page)).toEqual([])
})
