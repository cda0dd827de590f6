import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/fixtures.ts'
import { world } from '../support/world.ts'

/** In `en-XA`, English with accents: what the app says is in brackets, and what people write is not. */

const until = <T>(see: () => T) => expect.poll(see, { timeout: 30_000 })
const choose = (page: Page, language: string) => page.context().addCookies([{ name: 'language', value: language, url: page.url() }])
const lang = (page: Page) => page.evaluate(() => document.documentElement.lang)
const SIGN_IN = /^\[Šígñ íñ · ·]$/
const CATALOGUE = /\/assets\/language-en-XA-[0-9a-f]+\.json$/

test('A page is in the language of the device from the start, and another tab follows when it is looked at', async ({ openPage }) => {
  const { page } = await openPage({ at: '/login' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await choose(page, 'en-XA')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
  expect(await lang(page)).toBe('en-XA')
  await page.reload()
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
  expect(await lang(page)).toBe('en-XA')
})

test('What somebody has typed to register stays when they choose another language', async ({ openPage }) => {
  const { page } = await openPage({ at: '/register' })
  const typed = { 'First name': 'Grete', 'E-mail': 'grete@example.org', Password: 'a long enough secret' }
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await page.getByRole('button', { name: 'Konto erstellen' }).waitFor()
  expect(await page.locator('form input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toEqual([
    'Grete',
    '',
    'grete@example.org',
    'a long enough secret',
  ])
  await page.getByRole('link', { name: 'Anmelden' }).click()
  await page.getByRole('link', { name: 'Konto erstellen' }).click()
  await until(() => page.getByLabel('E-Mail', { exact: true }).inputValue()).toBe('')
})

test('The choice of a language keeps the focus while everything is drawn in it, before sign-in and in the profile', async ({
  openPage,
}) => {
  const { as } = await world()
  for (const person of [{ at: '/login' }, { as: as('ada'), at: '/profile/settings' }]) {
    const { page } = await openPage(person)
    const choice = page.getByRole('combobox', { name: 'Language' })
    await choice.focus()
    await choice.selectOption('Deutsch')
    await until(() => lang(page)).toBe('de')
    await until(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Sprache')
  }
})

test('A language chosen in another tab waits while somebody writes', async ({ openPage }) => {
  const { page } = await openPage({ at: '/login' })
  const email = page.getByLabel('E-mail', { exact: true })
  await email.fill('ada@')
  await choose(page, 'en-XA')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await email.pressSequentially('example.org', { delay: 200 })
  expect([await lang(page), await email.inputValue()]).toEqual(['en', 'ada@example.org'])
  await email.fill('')
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
})

test('A language chosen in another tab waits until a form is done, of which nothing is lost', async ({ openPage }) => {
  const { as } = await world()
  const { page } = await openPage({ as: as('ada'), at: '/collections' })
  await page.getByRole('button', { name: 'New collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  const field = dialog.getByLabel('Name', { exact: true })
  await field.fill('Our garden')
  await choose(page, 'en-XA')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await field.pressSequentially(' of herbs', { delay: 200 })
  expect([await lang(page), await field.inputValue()]).toEqual(['en', 'Our garden of herbs'])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await until(() => lang(page)).toBe('en-XA')
  await page.getByText('Our garden of herbs').filter({ visible: true }).first().waitFor()
})

test('A language whose sentences do not come leaves the one that is shown', async ({ openPage }) => {
  const { page } = await openPage({ at: '/login' })
  await choose(page, 'en-XA')
  await page.reload()
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
  let failing = true
  await page.route(/\/assets\/language-de-/, (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()))
  const asked = page.waitForResponse(/\/assets\/language-de-/)
  await page.getByRole('combobox').selectOption('Deutsch')
  await asked
  // It is asked for again, after which the page would have changed.
  await page.waitForResponse(/\/assets\/language-de-/)
  expect(await lang(page)).toBe('en-XA')
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
  failing = false
  await page.getByRole('button', { name: 'Anmelden' }).waitFor()
})

test('A language that is not known is English', async ({ openPage }) => {
  const { page } = await openPage({ at: '/login' })
  for (const language of ['tlh', '<script>', '..%2F..', '']) {
    await choose(page, language)
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await lang(page)).toBe('en')
  }
})

test('Without its sentences the app is in English, and in the language once they come', async ({ openPage }) => {
  const { page } = await openPage({ at: '/login' })
  await choose(page, 'en-XA')
  let failing = true
  await page.route(CATALOGUE, (route) => (failing ? route.fulfill({ status: 500 }) : route.continue()))
  await page.reload()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await lang(page)).toBe('en')
  failing = false
  await page.getByRole('button', { name: SIGN_IN }).waitFor()
  expect(await lang(page)).toBe('en-XA')
})

test('What people write stays as it is in every sentence, whatever it looks like', async ({ openPage }) => {
  const { as } = await world()
  const name = '<0>Bold</0> {count} # {0, plural, other {x}}'
  const { collection } = (await as('ada').post('/api/collections', { name })).body
  const { page } = await openPage({ as: as('ada'), at: `/collections/settings?c=${collection.id}` })
  await choose(page, 'en-XA')
  await page.reload()
  await until(() => page.locator('body').textContent()).toContain(name)
  expect(await page.locator('body').innerHTML()).not.toContain('<b>Bold')
})

test('The language in use is there without a connection', async ({ openPage }) => {
  const { as, collection } = await world()
  const { page, context, errors } = await openPage({ serviceWorkers: 'allow', as: as('ada'), at: `/collections/media?c=${collection.id}` })
  await choose(page, 'en-XA')
  await page.reload()
  await until(() => page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state))).toBe('activated')
  await until(() =>
    page.evaluate(async () => {
      const found = await Promise.all(
        (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      )
      return found.flat().some((url) => /language-en-XA/.test(url))
    }),
  ).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: /^\[Ñéw/ }).waitFor()
  expect(await lang(page)).toBe('en-XA')
  // Calls fail without a connection.
  errors.length = 0
})
