import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from '../support/fixtures.ts'
import { makeLink } from '../support/guests.ts'
import { axeViolations, PHONE } from '../support/people.ts'
import { focusedName } from '../support/reach.ts'
import { type World, world } from '../support/world.ts'

const test = app.extend('opened', ({ openPage }) => async (kyoto: World, who: string, options = {}) => {
  const person = await openPage({ as: kyoto.as(who), at: `/collections/settings?c=${kyoto.collection.id}`, ...options })
  await people(person.page).first().waitFor()
  return person
})

const poll = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 })

/** Ana in two notes, Anna in one of them and in a third. */
async function twins(): Promise<World> {
  const kyoto = await world({ bob: 'write' })
  const ada = kyoto.as('ada')
  const add = async (name: string) => (await ada.post(`/api/collections/${kyoto.collection.id}/people`, { name })).body.person.id as string
  const [ana, anna] = [await add('Ana'), await add('Anna')]
  const notes = { One: [ana], Two: [ana, anna], Three: [anna] }
  for (const [title, peopleIds] of Object.entries(notes))
    await ada.post('/api/post', { type: 'note', title, collectionIds: [kyoto.collection.id], peopleIds })
  return kyoto
}

const people = (page: Page) => page.getByRole('list', { name: 'People' }).getByRole('listitem')
const row = (page: Page, name: string) => people(page).filter({ has: page.getByText(name, { exact: true }) })

test('Two people are merged after a preview, other members see it at once, and Undo separates them', async ({ opened }) => {
  const kyoto = await twins()
  const [ada, bob] = [await opened(kyoto, 'ada'), await opened(kyoto, 'bob')]
  await row(ada.page, 'Anna').getByRole('link', { name: '2 items with Anna' }).waitFor()
  await ada.page.getByRole('button', { name: 'More for Anna' }).click()
  await ada.page.getByRole('menuitem', { name: 'Merge into…' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByText('Ana', { exact: true }).click()
  await dialog.getByText('Ana (2 items) and Anna (2 items) become Ana with 3.').waitFor()
  expect(await axeViolations(ada.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge' }).click()
  // A toast stays as long as somebody points at it.
  await ada.page.getByRole('button', { name: 'Undo' }).hover()
  for (const { page } of [ada, bob]) {
    await poll(() => people(page).count()).toBe(1)
    await row(page, 'Ana').getByRole('link', { name: '3 items with Ana' }).waitFor()
  }
  await ada.page.getByRole('button', { name: 'Undo' }).click()
  for (const { page } of [ada, bob]) {
    await row(page, 'Anna').getByRole('link', { name: '2 items with Anna' }).waitFor()
    await poll(() => people(page).count()).toBe(2)
  }
})

test('A person’s number of items leads to the items', async ({ opened }) => {
  const kyoto = await twins()
  const { page } = await opened(kyoto, 'bob')
  await page.getByRole('link', { name: '2 items with Ana' }).click()
  await poll(async () => (await page.getByRole('article').getByRole('heading').allTextContents()).toSorted()).toEqual(['One', 'Two'])
})

test('Keys alone on a phone’s screen link a person to a member, unlink and remove them', async ({ opened }) => {
  const kyoto = await twins()
  const { page } = await opened(kyoto, 'ada', { viewport: PHONE, hasTouch: true })
  await page.getByRole('button', { name: 'More for Ana' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Link to a member…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Bob Test' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await row(page, 'Ana').getByText('Linked to Bob Test').waitFor()
  await page.getByRole('button', { name: 'More for Ana' }).click()
  await page.getByRole('menuitem', { name: 'Unlink account' }).click()
  await row(page, 'Ana').getByText('No account').waitFor()
  await page.getByRole('button', { name: 'More for Ana' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByText('They will no longer be tagged in 2 items. Photos and posts stay.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await poll(() => people(page).count()).toBe(1)
  expect(await axeViolations(page)).toEqual([])
})

test('A long list of people is searched regardless of accents', async ({ opened }) => {
  const kyoto = await world()
  for (const name of ['Ana', 'Ben', 'Zoë', 'Dan', 'Eve', 'Fay', 'Gus'])
    await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name })
  const { page } = await opened(kyoto, 'ada')
  await page.getByRole('searchbox', { name: 'Search people' }).fill('zoe')
  await poll(() => people(page).count()).toBe(1)
  await page.getByRole('searchbox', { name: 'Search people' }).fill('nobody')
  await page.getByText('No people match “nobody”.').waitFor()
})

test('Several people are invited at once, each with an answer of their own', async ({ opened }) => {
  const kyoto = await twins()
  const { page } = await opened(kyoto, 'ada')
  await page.getByRole('button', { name: 'Invite people…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByText('Paste a list of addresses').click()
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill('Anna <anna@example.org>\nMia <mia@example.org>')
  await dialog.getByRole('button', { name: 'Fill in' }).click()
  await poll(() => dialog.getByRole('textbox', { name: 'E-mail of Anna' }).inputValue()).toBe('anna@example.org')
  expect(await dialog.getByRole('textbox', { name: 'Addresses' }).inputValue()).toBe('Mia <mia@example.org>')
  await dialog.getByRole('textbox', { name: 'E-mail of Ana' }).fill(kyoto.as('bob').email)
  await dialog.getByRole('button', { name: 'Send 2 invitations' }).click()
  await dialog.getByText('Invited: anna@example.org').waitFor()
  await dialog.getByText('A member has this address').waitFor()
  expect(await axeViolations(page)).toEqual([])

  await dialog.getByRole('textbox', { name: 'E-mail of Ana' }).fill('ana@example.org')
  await dialog.getByRole('button', { name: 'Send 1 invitation' }).click()
  await dialog.waitFor({ state: 'detached' })
  for (const name of ['Ana', 'Anna']) await row(page, name).getByText('Invited').waitFor()
  const { invites } = (await kyoto.as('ada').get(`/api/collections/${kyoto.collection.id}/invites`)).body
  expect(invites.map(({ email, role }: { email: string; role: string }) => `${email} ${role}`).toSorted()).toEqual([
    'ana@example.org read',
    'anna@example.org read',
  ])
})

test('Addresses typed or pasted for invitations are discarded only after a question', async ({ opened }) => {
  const kyoto = await twins()
  const { page } = await opened(kyoto, 'ada')
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  const pasted = dialog.getByRole('textbox', { name: 'Addresses' })
  const open = async () => {
    await page.getByRole('button', { name: 'Invite people…' }).click()
    await dialog.getByText('Paste a list of addresses').click()
  }
  await open()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await open()
  await pasted.fill('Anna <anna@example.org>')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await pasted.inputValue()).toBe('Anna <anna@example.org>')
  await dialog.getByRole('button', { name: 'Fill in' }).click()
  await poll(() => pasted.inputValue()).toBe('')
  await page.mouse.click(5, 5)
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('A member is removed together with what they added, and Undo brings only the items back', async ({ opened }) => {
  const kyoto = await world({ bob: 'write' })
  await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Ana' })
  await kyoto.as('bob').post('/api/post', { type: 'note', title: 'By bob', collectionIds: [kyoto.collection.id] })
  const posts = async () => (await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)).body.posts.length
  const { page } = await opened(kyoto, 'ada')
  await page.getByRole('button', { name: 'Remove Bob Test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Bob Test?' })
  await dialog.getByRole('checkbox', { name: 'Also remove what they added' }).click()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover()
  expect(await posts()).toBe(0)
  await undo.click()
  await poll(posts).toBe(1)
  expect(await page.getByRole('button', { name: 'Remove Bob Test' }).count()).toBe(0)
})

test('After the person who was searched for is gone, the others are listed, and so is one who is added during a search', async ({
  opened,
}) => {
  const kyoto = await world()
  for (const name of ['Ana', 'Anna', 'Ben', 'Dan', 'Eve', 'Fay', 'Gus'])
    await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name })
  const { page } = await opened(kyoto, 'ada')
  const search = page.getByRole('searchbox', { name: 'Search people' })
  await search.fill('anna')
  await page.getByRole('button', { name: 'More for Anna' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await poll(() => people(page).count()).toBe(6)

  const add = async (name: string) => {
    await page.getByRole('textbox', { name: 'Name of a person' }).fill(name)
    await page.keyboard.press('Enter')
    await row(page, name).waitFor()
  }
  await add('Hal')
  await search.fill('ben')
  await poll(() => people(page).count()).toBe(1)
  await add('Ida')
  expect(await people(page).count()).toBe(8)
})

test('A role that is chosen stays chosen while it is saved, so that keys reach the next one', async ({ opened }) => {
  const kyoto = await world({ bob: 'read' })
  await kyoto.as('ada').post(`/api/collections/${kyoto.collection.id}/people`, { name: 'Ana' })
  const { page } = await opened(kyoto, 'ada')
  const role = page.getByRole('combobox', { name: 'Role of Bob Test' })
  const answered = Promise.withResolvers<void>()
  await page.route('**/members/*', async (route) => {
    await answered.promise
    await route.continue()
  })
  await role.focus()
  await page.keyboard.press('ArrowDown')
  await poll(() => role.inputValue()).toBe('write')
  await page.keyboard.press('ArrowDown')
  await poll(() => role.inputValue()).toBe('admin')
  answered.resolve()
  const saved = async () => (await kyoto.as('bob').get(`/api/collections/${kyoto.collection.id}`)).body.collection.role
  await poll(saved).toBe('admin')
  await poll(() => role.inputValue()).toBe('admin')
})

test('When an invitation is declined, the focus goes to the one beside it, and after the last to the page', async ({ openPage }) => {
  const kyoto = await world({ cleo: null })
  const { email } = kyoto.as('cleo')
  const lisbon = (await kyoto.as('ada').post('/api/collections', { name: 'Lisbon' })).body.collection
  for (const { id } of [kyoto.collection, lisbon])
    await kyoto.as('ada').post(`/api/collections/${id}/invites/invite`, { email, role: 'read' })
  const { page } = await openPage({ as: kyoto.as('cleo'), at: '/collections' })
  const decline = async (name: string) => {
    await page.getByRole('button', { name: `Decline the invitation to ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await decline('Lisbon')
  await poll(() => focusedName(page)).toBe('Accept the invitation to Kyoto')
  await decline('Kyoto')
  await poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
})

test('When a row of the settings goes, the focus goes to the row beside it', async ({ opened }) => {
  const kyoto = await world({ bob: 'read', cleo: 'write' })
  const ada = kyoto.as('ada')
  const at = `/api/collections/${kyoto.collection.id}`
  for (const name of ['Ana', 'Anna', 'Ben']) await ada.post(`${at}/people`, { name })
  for (const email of ['one@example.org', 'two@example.org']) await ada.post(`${at}/invites/invite`, { email, role: 'read' })
  await makeLink(ada, kyoto.collection.id, { name: 'First' })
  const { page } = await opened(kyoto, 'ada')
  const focused = (name: RegExp) => poll(() => focusedName(page)).toMatch(name)
  const confirm = async (name: string) => {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await page.getByRole('button', { name: 'More for Anna' }).click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  await page.getByRole('dialog').getByText('Ana', { exact: true }).click()
  await confirm('Merge')
  await row(page, 'Anna').waitFor({ state: 'detached' })
  await focused(/^Invite Ben$/)
  await page.getByRole('button', { name: 'More for Ben' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await confirm('Remove')
  await focused(/^Invite Ana$/)

  await page.getByRole('button', { name: 'Cancel the invitation to one@example.org' }).click()
  await focused(/^Send again the invitation to two@example.org$/)
  await page.getByRole('button', { name: 'Cancel the invitation to two@example.org' }).click()
  await focused(/^Invitations/)

  await page.getByRole('button', { name: 'End the link First' }).click()
  await confirm('End link')
  await focused(/^Links/)

  await page.getByRole('button', { name: 'Remove Bob Test' }).click()
  await confirm('Remove')
  await focused(/^(Role of|Remove) Cleo Test$/)

  await page.getByRole('combobox', { name: 'New owner' }).selectOption('Cleo Test')
  await page.getByRole('button', { name: 'Transfer…' }).click()
  await confirm('Transfer')
  await focused(/^Leave…$/)
})
