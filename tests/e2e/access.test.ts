import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { Client } from '../../dev/http-client.ts'
import { article, line, SOON, test, write } from '../support/outbox-scene.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { type Actor, PASSWORD } from '../support/world.ts'

/** What opens somebody's collections is listed in the profile, and ends at once. */

/** The same person in another browser. */
async function another({ origin, email, id }: Actor): Promise<Actor> {
  const client = new Client(origin)
  expect((await client.post('/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(200)
  return Object.assign(client, { email, id })
}

async function signIn(page: Page, { email }: Actor): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('A page that is open on a device leaves as soon as another device signs it out', async ({ ada, kyoto, openPage, expectedErrors }) => {
  expectedErrors.push(/401/)
  const phone = await openPage({
    as: await another(kyoto.as('ada')),
    at: `/collections/timeline?c=${kyoto.collection.id}`,
    viewport: PHONE,
  })
  await phone.page
    .getByRole('list', { name: 'Here now' })
    .or(phone.page.getByRole('heading', { name: 'Timeline' }))
    .first()
    .waitFor()
  const { page } = ada
  await page.goto('/profile/settings#access')
  const devices = page.getByRole('list', { name: 'Devices', exact: true })
  await expect.poll(() => devices.getByRole('listitem').count()).toBe(2)
  await devices.getByRole('button', { name: /^Sign out / }).click()
  await phone.page.waitForURL('**/login', SOON)
  await expect.poll(() => devices.getByRole('listitem').count()).toBe(1)
})

test('Signing out everywhere ends this page too, and what waits on another device is sent when its person signs in again there', async ({
  ada,
  kyoto,
  open,
  openPage,
}) => {
  const actor = kyoto.as('ada')
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'From the train')
  const desk = await openPage({ as: await another(actor), at: '/profile/settings' })
  await desk.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = desk.page.getByRole('dialog', { name: 'Sign out everywhere?' })
  expect(await axeViolations(desk.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await desk.page.waitForURL('**/login', SOON)

  await ada.context.setOffline(false)
  await page.waitForURL('**/login', SOON)
  await signIn(page, actor)
  await article(page, 'From the train').waitFor(SOON)
  // Her own client was signed out, too.
  const posts = async () => (await kyoto.as('bob').get(`/api/post?collection_id=${kyoto.collection.id}`)).body.posts
  await expect.poll(posts, SOON).toMatchObject([{ title: 'From the train', user_id: actor.id }])
  await line(page, /wait/).waitFor({ state: 'detached', ...SOON })
})

test('The profile lists tokens, calendar links and devices with notifications, and revokes a calendar link after asking', async ({
  ada,
  kyoto,
}) => {
  const actor = kyoto.as('ada')
  const { url } = (await actor.put(`/api/collections/${kyoto.collection.id}/calendar-link`, { notes: true })).body
  const { page } = ada
  await page.goto('/profile/settings')
  const links = page.getByRole('list', { name: 'Calendar links' })
  await links.getByText(/^Events and notes · made .+ · not read yet$/).waitFor()
  await page.getByText('You have no access tokens.').waitFor()
  await page.getByText('No device gets notifications.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await links.getByRole('button', { name: 'Revoke Kyoto' }).click()
  await page.getByRole('dialog', { name: 'Revoke the calendar link of “Kyoto”?' }).getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You have no calendar links.').waitFor()
  expect((await kyoto.anonymous.get(new URL(url).pathname)).status).toBe(404)
})
