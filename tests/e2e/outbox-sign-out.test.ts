import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { article, line, SOON, test, write } from '../support/outbox-scene.ts'
import { signInAs } from '../support/people.ts'
import { type Actor, PASSWORD } from '../support/world.ts'

/** What waits belongs to who did it: it is neither lost nor sent when they go, and never sent under the name of somebody else. */

async function signIn(page: Page, { email }: Actor): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('Signing out with waiting changes asks first, and the same person can sign in again instead', async ({ ada, kyoto, open, titles }) => {
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'Unsaved')
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: '1 change has not been saved yet' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await article(page, 'Unsaved').waitFor()

  // The session ends by itself: the change waits for its person.
  const cookies = await ada.context.cookies()
  await ada.context.clearCookies()
  await ada.context.setOffline(false)
  await page.waitForURL('**/login', SOON)
  expect(await titles()).toEqual([])
  await signIn(page, kyoto.as('ada'))
  await expect.poll(titles, SOON).toEqual(['Unsaved'])
  expect(cookies.length).toBeGreaterThan(0)

  await open(page)
  await ada.context.setOffline(true)
  await write(page, 'Overrides up')
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await page.waitForURL('**/login', SOON)
  await ada.context.setOffline(false)
  // The server hears of it now, so that the cookie signs nobody in again.
  await expect.poll(() => page.evaluate(async () => (await (await fetch('/api/auth/session')).json()).user), SOON).toBeNull()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sign-out-owed')), SOON).toBeNull()
  await signInAs(ada, kyoto.as('ada'))
  await open(page)
  expect(await article(page, 'Overrides up').count()).toBe(0)
  expect(await titles()).toEqual(['Unsaved'])
})

test('Signing out with a half-written note asks first, and the note is there again for who stays', async ({ ada, open }) => {
  const page = await open(ada.page)
  const begin = async () => {
    await page.keyboard.press('n')
    return page.getByRole('dialog', { name: 'New note' }).getByRole('textbox', { name: 'Title' })
  }
  await (await begin()).fill('Half a thought')
  await page.reload()
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog', { name: '1 change has not been saved yet' }).getByRole('button', { name: 'Cancel' }).click()
  expect(await (await begin()).inputValue()).toBe('Half a thought')
})

test('Waiting changes are never sent under the name of another person who signs in', async ({ ada, kyoto, open, titles }) => {
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'By Ada')
  // As on the pages of a sign-in service, in another tab: this one does not hear of it.
  await signInAs(ada, kyoto.as('bob'))
  await ada.context.setOffline(false)
  await page.getByRole('button', { name: /Bob Test/ }).waitFor(SOON)
  expect(await article(page, 'By Ada').count()).toBe(0)
  expect(await line(page, /wait/).count()).toBe(0)
  expect(await titles()).toEqual([])

  // He is not asked about her waiting changes, and they stay when he signs out.
  await page.getByRole('button', { name: /Bob Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login', SOON)
  await signIn(page, kyoto.as('ada'))
  await expect.poll(titles, SOON).toEqual(['By Ada'])
  const { body } = await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)
  expect(body.posts).toMatchObject([{ user_id: kyoto.as('ada').id }])
})
