import { expect, inject } from 'vitest'
import { countCalls } from '../support/counted-calls.ts'
import { test as app, article, goTo, openRooms, SOON } from '../support/viewer.ts'
import { PASSWORD, register, world } from '../support/world.ts'

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bob: 'write' })
    // An empty result is not reused.
    await kyoto.as('ada').post('/api/post', { type: 'note', title: 'Gate', collectionIds: [kyoto.collection.id] })
    // Publishes the memberships, which the world has written past the worker.
    await fetch(`${inject('stack').control}/scheduled`, { method: 'POST' })
    return kyoto
  })
  /** Ada at the timeline with live updates, whose calls are counted once everything has been fetched. */
  .extend('ada', async ({ kyoto, watch }) => {
    const viewer = await watch(kyoto, 'ada', 'timeline')
    const calls = countCalls(viewer.page)
    await calls.settled()
    calls.reset()
    return { ...viewer, calls }
  })

const CONTENT = ['GET /api/post', 'GET /api/asset'] as const
const ONCE = { 'GET /api/post': 1, 'GET /api/asset': 1 }
const LISTS = ['GET /api/collections', 'GET /api/collections/invited'] as const

test("The user's own new post, edit, trashing and undo each fetch the content once", async ({ ada }) => {
  const { page, calls } = ada
  const once = async (what: string) => {
    await calls.settled()
    expect(calls.counts(...CONTENT, ...LISTS), what).toEqual({ ...ONCE, 'GET /api/collections': 0, 'GET /api/collections/invited': 0 })
    calls.reset()
  }
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('First snow')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await article(ada, 'First snow').waitFor()
  await once('the new post')
  const choose = async (item: string) => {
    await article(ada, /snow/).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Edit')
  await page.getByRole('textbox', { name: 'Title' }).fill('Second snow')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await article(ada, 'Second snow').waitFor()
  await once('the edit')
  await choose('Move to trash')
  await article(ada, 'Second snow').waitFor({ state: 'detached' })
  await once('the trashing')
  await page.keyboard.press('ControlOrMeta+z')
  await article(ada, 'Second snow').waitFor()
  await once('the undo')
})

test("Another member's change fetches the content once, and the open lists not at all", async ({ ada, kyoto }) => {
  await kyoto.as('bob').post('/api/post', { type: 'note', title: 'Red leaves', collectionIds: [kyoto.collection.id] })
  await article(ada, 'Red leaves').waitFor(SOON)
  await ada.calls.settled()
  expect(ada.calls.counts(...CONTENT, ...LISTS)).toEqual({ ...ONCE, 'GET /api/collections': 0, 'GET /api/collections/invited': 0 })
})

test('Accepting an invitation fetches each list once, and declining one only the invitations', async ({ kyoto, openPage }) => {
  const cy = await register('cy')
  const guest = await openPage({ as: cy })
  const calls = countCalls(guest.page)
  const greeted = guest.page.waitForEvent('websocket').then((own) => own.waitForEvent('framereceived'))
  await guest.page.goto('/collections')
  await greeted
  const ada = kyoto.as('ada')
  const { body } = await ada.post('/api/collections', { name: 'Oslo' })
  for (const id of [kyoto.collection.id, body.collection.id])
    await ada.post(`/api/collections/${id}/invites/invite`, { email: cy.email, role: 'read' })
  // Also behind the dialog.
  const decline = guest.page.getByRole('button', { name: 'Decline the invitation to Oslo', includeHidden: true })
  await decline.waitFor(SOON)
  await calls.settled()

  calls.reset()
  await decline.click()
  expect(await decline.getAttribute('aria-busy')).toBeNull()
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await decline.waitFor({ state: 'detached' })
  await calls.settled()
  expect(calls.counts(...LISTS)).toEqual({ 'GET /api/collections': 0, 'GET /api/collections/invited': 1 })

  calls.reset()
  await guest.page.getByRole('button', { name: 'Accept the invitation to Kyoto' }).click()
  await guest.page.getByRole('heading', { level: 1, name: 'Media' }).waitFor(SOON)
  await calls.settled()
  expect(calls.counts(...LISTS, ...CONTENT)).toEqual({ 'GET /api/collections': 1, 'GET /api/collections/invited': 1, ...ONCE })
})

test.for(['timeline', 'settings'])('Signing in on the %s fetches nothing twice', async (view, { kyoto, openPage }) => {
  const visitor = await openPage()
  const sockets: string[] = []
  visitor.page.on('websocket', (socket) => sockets.push(socket.url()))
  await visitor.page.goto(`/collections/${view}?c=${kyoto.collection.id}`)
  await visitor.page.waitForURL('**/login')
  const calls = countCalls(visitor.page)
  await visitor.page.getByRole('textbox', { name: 'E-mail' }).fill(kyoto.as('ada').email)
  await visitor.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.page.getByRole('button', { name: 'Sign in' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: view, exact: false }).waitFor(SOON)
  await expect.poll(() => sockets.length, SOON).toBe(2)
  await calls.settled()
  const gets = calls.made().filter((call) => call.startsWith('GET '))
  expect(gets.toSorted()).toEqual([...new Set(gets)].toSorted())
  expect(gets).toContain('GET /api/bootstrap')
  expect(calls.counts(...LISTS)).toEqual({ 'GET /api/collections': 0, 'GET /api/collections/invited': 0 })
})

test('Leaving a collection fetches the list once, and nothing of what was left', async ({ kyoto, watch }) => {
  const bob = await watch(kyoto, 'bob', 'timeline')
  const calls = countCalls(bob.page)
  await goTo(bob, 'Settings')
  await bob.page.getByRole('heading', { name: 'Members' }).waitFor()
  await calls.settled()
  await bob.page.getByRole('button', { name: 'Leave…' }).click()
  calls.reset()
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await bob.page.waitForURL('**/collections')
  await expect.poll(() => openRooms(bob), SOON).toEqual([`user:${kyoto.as('bob').id}`])
  await calls.settled()
  const { id } = kyoto.collection
  expect(calls.made().filter((call) => call.includes(id))).toEqual([`DELETE /api/collections/${id}/invites/leave`])
  expect(calls.counts(...LISTS, ...CONTENT)).toEqual({
    ...{ 'GET /api/collections': 1, 'GET /api/collections/invited': 0 },
    ...{ 'GET /api/post': 0, 'GET /api/asset': 0 },
  })
})

test('A collection that was left takes its share of the feed’s count with it', async ({ kyoto, watch }) => {
  const ada = kyoto.as('ada')
  const { body } = await ada.post('/api/collections', { name: 'Oslo' })
  const oslo = body.collection.id
  await kyoto.sql`insert into members (collection_id, user_id, role) values (${oslo}, ${kyoto.as('bob').id}, 'read')`
  const bob = await watch(kyoto, 'bob', 'timeline')
  await ada.post('/api/post', { type: 'note', title: 'Fjord', collectionIds: [oslo] })
  await ada.post('/api/post', { type: 'note', title: 'Gate', collectionIds: [kyoto.collection.id] })
  const feed = (count: number) => bob.page.getByRole('link', { name: new RegExp(`^Feed.*${count} new`) }).first()
  await feed(2).waitFor({ timeout: 40_000 })
  await goTo(bob, 'Settings')
  await bob.page.getByRole('button', { name: 'Leave…' }).click()
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await feed(1).waitFor({ timeout: 3_000 })
})
