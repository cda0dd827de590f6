import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { test as app, article, goTo, openRooms, SOON, type Viewer } from '../support/viewer.ts'
import { register, world } from '../support/world.ts'

/** Two people in two browsers: what one does, the other sees within seconds, and without a reload. */

const test = app
  // A browser reports itself what is requested without a connection.
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED/])
  .extend('kyoto', () => world({ bob: 'write' }))
  .extend('staying', ({ kyoto, watch }, { onCleanup }) => {
    const people: Viewer[] = []
    onCleanup(async () => {
      for (const { page } of people) if (!page.isClosed()) expect(await page.evaluate('globalThis.loadedOnce'), 'never reloaded').toBe(true)
    })
    return async (name: string) => {
      const who = await watch(kyoto, name, 'timeline')
      people.push(who)
      return who
    }
  })
  .extend('ada', ({ staying }) => staying('ada'))
  .extend('bob', ({ staying }) => staying('bob'))

/** Of the content that this browser keeps. */
const KEPT_MEMBERSHIPS = `(async () => {
  const { name } = (await indexedDB.databases()).find((one) => one.name.startsWith('cairn-content-'))
  const answer = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
  const db = await answer(indexedDB.open(name))
  const heads = await answer(db.transaction('heads').objectStore('heads').getAll())
  db.close()
  return heads.map(({ memberships }) => memberships).join()
})()`

async function writeNote({ page }: Viewer, title: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
}

test('An invitation appears for the invited person, and its acceptance for the inviting one', async ({ ada, openPage }) => {
  const cy = await register('cy')
  const guest = await openPage({ as: cy })
  const greeted = guest.page.waitForEvent('websocket').then((own) => own.waitForEvent('framereceived'))
  await guest.page.goto('/collections')
  await greeted

  await goTo(ada, 'Settings')
  await ada.page.getByRole('button', { name: 'Invite someone' }).first().click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(cy.email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()

  await guest.page.getByRole('button', { name: 'Accept the invitation to Kyoto' }).click(SOON)
  await guest.page.getByRole('heading', { level: 1, name: 'Media' }).waitFor(SOON)
  await ada.page.getByRole('button', { name: 'Remove Cy Test' }).waitFor(SOON)
})

test('A lowered role removes the New button, and a raised role restores it', async ({ ada, bob }) => {
  const add = bob.page.getByRole('button', { name: 'New', exact: true })
  await add.waitFor()
  await goTo(ada, 'Settings')
  const role = ada.page.getByRole('combobox', { name: 'Role of Bob Test' })
  await role.selectOption('read')
  await add.waitFor({ state: 'detached', ...SOON })
  await role.selectOption('write')
  await add.waitFor(SOON)
})

test('A removed member is sent to their collections with a notice and leaves the room', async ({ ada, bob, kyoto }) => {
  await goTo(ada, 'Settings')
  await ada.page.getByRole('button', { name: 'Remove Bob Test' }).click()
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await bob.page.waitForURL('**/collections', SOON)
  await bob.page
    .getByText(/“Kyoto”/)
    .first()
    .waitFor(SOON)
  await expect.poll(() => bob.page.getByRole('link', { name: /Kyoto/ }).count()).toBe(0)
  await expect.poll(() => openRooms(bob), SOON).toEqual([`user:${kyoto.as('bob').id}`])
})

test('A photo from a second collection appears when a member joins it and disappears when they are removed', async ({
  ada,
  bob,
  kyoto,
}) => {
  const { body } = await kyoto.as('ada').post('/api/collections', { name: 'Oslo' })
  const oslo = body.collection.id
  const bridge = await upload(kyoto.as('ada'), jpegLike(), { width: 40, height: 30, alt: 'Bridge', collectionIds: [oslo] })
  const fields = { type: 'note', title: 'Both cities', collectionIds: [kyoto.collection.id, oslo], existingAssetIds: [bridge.id] }
  await kyoto.as('ada').post('/api/post', fields)
  await kyoto.as('ada').delete(`/api/asset/${bridge.id}/collections/${kyoto.collection.id}`)
  const seen = (by: Viewer) => article(by, 'Both cities').getByRole('button', { name: 'Open Bridge' })
  await seen(ada).waitFor(SOON)
  await article(bob, 'Both cities').waitFor(SOON)
  // It was in the first collection for a moment.
  await seen(bob).waitFor({ state: 'detached', ...SOON })
  const { id } = kyoto.as('bob')
  const join = async () => {
    await kyoto.sql`insert into members (collection_id, user_id, role) values (${oslo}, ${id}, 'read')`
    // The worker publishes its own writes at once.
    await kyoto.as('ada').put(`/api/collections/${oslo}/members/${id}`, { role: 'write' })
  }
  await join()
  await seen(bob).waitFor(SOON)
  await kyoto.as('ada').delete(`/api/collections/${oslo}/members/${id}`)
  await seen(bob).waitFor({ state: 'detached', ...SOON })

  await join()
  await seen(bob).waitFor(SOON)
  const address = bob.page.url()
  // By then the content on the screen is stored on the device.
  await expect.poll(() => bob.page.evaluate(KEPT_MEMBERSHIPS), SOON).toContain(oslo)
  await bob.page.close()
  await kyoto.as('ada').delete(`/api/collections/${oslo}/members/${id}`)
  const later = { ...bob, page: await bob.context.newPage() }
  await later.page.goto(address)
  await article(later, 'Both cities').waitFor(SOON)
  await seen(later).waitFor({ state: 'detached', ...SOON })
})

test('A member who is removed while writing keeps the text and can save it in another collection', async ({ bob, kyoto }) => {
  const bobs = kyoto.as('bob')
  const own = (await bobs.post('/api/collections', { name: 'Own' })).body.collection.id
  await bob.page.getByRole('button', { name: 'New', exact: true }).click()
  await bob.page.getByRole('menuitem', { name: 'Event' }).click()
  await bob.page.getByRole('textbox', { name: 'Title' }).fill('Lanterns')
  await bob.page.getByRole('textbox', { name: 'Text' }).fill('Seen from the bridge')
  // Half-written, and so not yet what could be posted.
  await bob.page.getByRole('button', { name: 'Add end' }).click()
  await bob.page.getByLabel('Last day').fill('2020-01-01')
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${bobs.id}`)
  await bob.page.getByText('What you were writing is kept').first().waitFor(SOON)
  await bob.page.getByRole('button', { name: 'Show' }).click()
  const dialog = bob.page.getByRole('dialog', { name: 'Not saved yet' })
  await dialog.getByText('Seen from the bridge').waitFor()
  await dialog.getByRole('button', { name: 'Save as a new post in…' }).click()
  await bob.page.getByRole('menuitem', { name: 'Own' }).click()
  await expect
    .poll(async () => (await bobs.get(`/api/post?collection_id=${own}`)).body, SOON)
    .toMatchObject({ posts: [{ type: 'event', title: 'Lanterns', body: '<p>Seen from the bridge</p>' }] })
  await dialog.waitFor({ state: 'detached' })
})

test('A member who is removed while describing a photo keeps the words', async ({ bob, kyoto }) => {
  const size = { name: 'lake.jpg', width: 40, height: 30, date: '2019-05-03T10:00:00Z', datePrecision: 'minute' as const }
  await upload(kyoto.as('bob'), jpegLike(), { ...size, collectionIds: [kyoto.collection.id] })
  await bob.page
    .getByRole('button', { name: /^Open / })
    .first()
    .click(SOON)
  await bob.page.getByRole('button', { name: 'Information' }).click()
  const panel = bob.page.getByRole('complementary', { name: 'Information' })
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByRole('textbox', { name: 'Description' }).fill('Salt to the horizon')
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}/members/${kyoto.as('bob').id}`)
  await bob.page.getByText('What you were writing is kept').first().waitFor(SOON)
  await bob.page.getByRole('button', { name: 'Show' }).click()
  const dialog = bob.page.getByRole('dialog', { name: 'Not saved yet' })
  await dialog.getByText('Salt to the horizon').waitFor()
  await dialog.getByRole('button', { name: 'Copy text' }).waitFor()
})

test('A member who loses the right to add is told while writing, and their post is not reported as saved', async ({ bob, kyoto }) => {
  await bob.page.getByRole('button', { name: 'New', exact: true }).click()
  await bob.page.getByRole('menuitem', { name: 'Note' }).click()
  await bob.page.getByRole('textbox', { name: 'Title' }).fill('Lanterns')
  await kyoto.as('ada').put(`/api/collections/${kyoto.collection.id}/members/${kyoto.as('bob').id}`, { role: 'read' })
  await bob.page.getByText('Your role in “Kyoto” no longer allows you to add posts').waitFor(SOON)
  await bob.page.getByRole('button', { name: 'Post', exact: true }).click()
  await bob.page.getByText('“Lanterns” could not be saved').first().waitFor(SOON)
  await bob.page.getByText('Your role lets you look, not add, in “Kyoto”').first().waitFor()
  await expect.poll(() => bob.page.getByText('“Lanterns” added to Kyoto').count(), SOON).toBe(0)
})

test('A deleted collection closes for every member', async ({ bob, kyoto }) => {
  await kyoto.as('ada').delete(`/api/collections/${kyoto.collection.id}`)
  await bob.page.waitForURL('**/collections', SOON)
  await bob.page
    .getByText(/“Kyoto”/)
    .first()
    .waitFor(SOON)
})

test('Changes made while a member is offline appear when they reconnect', async ({ ada, bob, kyoto }) => {
  await writeNote(ada, 'Stays')
  await writeNote(ada, 'Goes')
  await article(bob, 'Goes').waitFor(SOON)
  const openSockets = () => bob.page.evaluate('openSockets()')
  await expect.poll(openSockets, SOON).toBe(2)
  await bob.context.setOffline(true)
  await bob.page.evaluate('cutSockets()')
  await bob.page.getByText('Offline').first().waitFor(SOON)
  await expect.poll(openSockets, SOON).toBe(0)

  const { body } = await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)
  const goes = body.posts.find(({ title }: { title: string }) => title === 'Goes')
  await kyoto.as('ada').delete(`/api/post/${goes.id}`)
  for (const title of ['One', 'Two', 'Three']) await writeNote(ada, title)
  await article(ada, 'Three').waitFor(SOON)

  await bob.context.setOffline(false)
  for (const title of ['One', 'Two', 'Three', 'Stays']) await article(bob, title).waitFor({ timeout: 20_000 })
  await article(bob, 'Goes').waitFor({ state: 'detached', ...SOON })
  await expect.poll(openSockets, SOON).toBe(2)
  await expect.poll(() => bob.page.getByText('Offline').count()).toBe(0)
})

test('A present member is listed with their view and disappears when they leave', async ({ ada, bob }) => {
  const here = ada.page.getByRole('list', { name: 'Here now' })
  await here.getByRole('link', { name: 'Bob Test – Timeline' }).waitFor(SOON)
  await goTo(bob, 'Media')
  await here.getByRole('link', { name: 'Bob Test – Media' }).waitFor(SOON)
  await bob.page.getByRole('link', { name: 'Cairn: all collections' }).click()
  await here.waitFor({ state: 'detached', ...SOON })
  await bob.page.goBack()
  await here.getByRole('link', { name: 'Bob Test – Media' }).waitFor(SOON)
  await bob.page.close()
  await here.waitFor({ state: 'detached', ...SOON })
})

test('Signing out leaves every room', async ({ bob }) => {
  await bob.page.getByRole('button', { name: /Bob Test/ }).click()
  await bob.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await bob.page.waitForURL('**/login', SOON)
  await expect.poll(() => openRooms(bob), SOON).toEqual([])
})
