import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { axeViolations, DESKTOP, PHONE } from '../support/people.ts'
import { SOON } from '../support/viewer.ts'
import { PASSWORD, register, world } from '../support/world.ts'

/** Requests to join by a link, from the page of the link to the answer of an admin. */

const test = app.extend('kyoto', () => world({ amy: 'admin' }))

test('Somebody with a link signs in, asks to join, and is in as soon as an admin accepts in the feed', async ({ kyoto, openPage }) => {
  const ada = kyoto.as('ada')
  await ada.post('/api/post', { type: 'note', title: 'First snow', collectionIds: [kyoto.collection.id] })
  const { page: feed } = await openPage({ as: kyoto.as('amy'), at: '/feed', viewport: DESKTOP })
  await feed.getByRole('article').first().waitFor()
  const { url } = await makeLink(ada, kyoto.collection.id, { join: true, role: 'write' })

  const eve = await register('eve')
  const { page } = await openPage({ viewport: PHONE })
  await page.goto(url)
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(eve.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // Nothing has been asked yet, and the button is below everything else.
  await page.waitForURL(/#join$/)
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByText('You have asked to become a member.').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page)).toEqual([])
  }

  const requests = feed.getByRole('list', { name: 'Requests to join Kyoto' })
  await requests.getByText(eve.email).waitFor(SOON)
  expect(await axeViolations(feed)).toEqual([])
  await requests.getByRole('button', { name: /^Accept / }).click()
  await feed.getByText('is now a member of “Kyoto”').first().waitFor()
  await requests.waitFor({ state: 'detached' })

  await page.reload()
  await page.getByRole('link', { name: 'Open it in Cairn' }).click()
  await page.getByRole('article', { name: 'First snow' }).waitFor()
})

test('A declined request disappears from the settings of every admin, and the page says so', async ({ kyoto, openPage }) => {
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { join: true })
  const settings = `/collections/settings?c=${kyoto.collection.id}`
  const [hers, theirs] = [await openPage({ as: kyoto.as('ada'), at: settings }), await openPage({ as: kyoto.as('amy'), at: settings })]
  await hers.page.getByRole('heading', { name: 'Links' }).waitFor()
  const { page } = await openPage({ as: await register('eve'), at: new URL(url).pathname })
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByText('You have asked to become a member.').waitFor()

  const listOf = (at: typeof hers) => at.page.getByRole('list', { name: 'Requests to join Kyoto' })
  await listOf(theirs).waitFor(SOON)
  await listOf(hers)
    .getByRole('button', { name: /^Decline / })
    .click(SOON)
  await hers.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await listOf(hers).waitFor({ state: 'detached', ...SOON })
  await listOf(theirs).waitFor({ state: 'detached', ...SOON })
  await page.reload()
  await page.getByText('An admin has declined your request').waitFor()
})

test('Somebody who has asked takes it back on the page of the link, and an admin’s list ends', async ({ kyoto, openPage }) => {
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { join: true })
  const { page: hers } = await openPage({ as: kyoto.as('ada'), at: `/collections/settings?c=${kyoto.collection.id}` })
  await hers.getByRole('heading', { name: 'Links' }).waitFor()
  const { page } = await openPage({ as: await register('eve'), at: new URL(url).pathname, viewport: PHONE })
  await page.getByRole('button', { name: 'Ask to join' }).click()
  const list = hers.getByRole('list', { name: 'Requests to join Kyoto' })
  await list.waitFor(SOON)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Take back my request' }).click()
  await page.getByRole('button', { name: 'Ask to join' }).waitFor()
  await list.waitFor({ state: 'detached', ...SOON })
})

test('Somebody with an account who answered as a guest makes it their own', async ({ kyoto, openPage }) => {
  const { body } = await kyoto.as('ada').post('/api/post', { type: 'note', title: 'First snow', collectionIds: [kyoto.collection.id] })
  const { url } = await makeLink(kyoto.as('ada'), kyoto.collection.id, { allows: 'answer', join: true })
  const eve = await register('eve')
  const { page } = await openPage({ as: eve, at: new URL(url).pathname, viewport: PHONE })
  expect(await page.getByRole('button', { name: 'Make it mine' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Say something' }).click()
  await page.getByLabel('Your name').fill('Evi')
  await page.getByLabel('Your comment').fill('How white!')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Evi (guest)').waitFor()
  await page.getByRole('link', { name: /Kyoto/ }).click()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Make it mine' }).click()
  await page.getByRole('button', { name: 'Make it mine' }).waitFor({ state: 'detached' })
  const { comments } = (await kyoto.as('ada').get(`/api/post/${body.post.id}/comments?collection_id=${kyoto.collection.id}`)).body
  expect(comments).toMatchObject([{ text: 'How white!', author: { id: eve.id } }])
})
