import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { LOAD_FAILURE } from '../../web/lib/load-failure.ts'
import { fetchedAhead } from '../support/fetched-ahead.ts'
import { jpegLike, upload } from '../support/files.ts'
import { openBrowser, type Person, signInAs } from '../support/people.ts'
import { type Actor, PASSWORD, type World, world } from '../support/world.ts'

/** What is done without a connection, or over a bad one, reaches the others once; and no text is lost on the way. */

const SOON = { timeout: 30_000 }

let chromium: Awaited<ReturnType<typeof openBrowser>>
let w: World
let ada: Person
let bob: Person

beforeAll(async () => {
  chromium = await openBrowser()
})
afterAll(() => chromium?.close())

beforeEach(async () => {
  w = await world({ bob: 'admin' })
  ada = await chromium.person()
  bob = await chromium.person()
  await signInAs(ada, w.as('ada'))
  await signInAs(bob, w.as('bob'))
})
afterEach(async () => {
  expect([...ada.errors, ...bob.errors].filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/.test(text))).toEqual([])
  await Promise.all([ada.context.close(), bob.context.close()])
})

/** A view with everything fetched that it needs without a connection. */
async function open(page: Page, view = 'timeline'): Promise<Page> {
  await page.goto(`/collections/${view}?c=${w.collection.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name?.startsWith('cairn-outbox'))))
    .toBe(true)
  await fetchedAhead(page)
  return page
}

async function write(page: Page, title: string, text = ''): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function menu(page: Page, title: string, item: 'Edit' | 'Move to trash'): Promise<void> {
  await article(page, title).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function edit(page: Page, title: string, fields: { Title?: string; Text?: string }): Promise<void> {
  await menu(page, title, 'Edit')
  for (const [name, value] of Object.entries(fields)) await page.getByRole('textbox', { name }).fill(value)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function signIn(page: Page, { email }: Actor): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function remove(page: Page, title: string): Promise<void> {
  await menu(page, title, 'Move to trash')
}

const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const line = (page: Page, words: string | RegExp) => page.getByRole('button', { name: words })

async function post(title: string, body = '', as = 'ada') {
  const made = await w.as(as).post('/api/post', { type: 'note', title, body, collectionIds: [w.collection.id] })
  expect(made.status).toBe(201)
  return made.body.post
}

async function titles(): Promise<string[]> {
  const { body } = await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)
  return body.posts.map(({ title }: { title: string }) => title).toSorted()
}

test('what is written, changed and deleted offline survives the tab, and reaches the other once', async () => {
  await post('Stays')
  await post('Goes')
  const page = await open(ada.page)
  await open(bob.page)
  await ada.context.setOffline(true)
  await write(page, 'First snow', 'White and quiet')
  await edit(page, 'Stays', { Title: 'Stays, changed' })
  await edit(page, 'First snow', { Text: 'White, quiet and cold' })
  await remove(page, 'Goes')
  await article(page, 'First snow').getByText('Not saved yet').waitFor()
  await article(page, 'Stays, changed').waitFor()
  await article(page, 'Goes').waitFor({ state: 'detached' })
  await line(page, '4 changes wait for a connection').waitFor()
  expect(await titles()).toEqual(['Goes', 'Stays'])

  await page.close()
  await ada.context.setOffline(false)
  ada.page = await ada.context.newPage()
  await open(ada.page)
  await expect.poll(titles, SOON).toEqual(['First snow', 'Stays, changed'])
  for (const { page: screen } of [ada, bob]) {
    await article(screen, 'First snow').getByText('White, quiet and cold').waitFor(SOON)
    await article(screen, 'Stays, changed').waitFor(SOON)
    await article(screen, 'Goes').waitFor({ state: 'detached', ...SOON })
    expect(await article(screen, 'First snow').count()).toBe(1)
  }
  await article(ada.page, 'First snow')
    .getByText('Not saved yet')
    .waitFor({ state: 'detached', ...SOON })
})

test('two tabs that edit the same post offline both keep their text', async () => {
  await post('Menu', '<p>Soup</p>')
  const first = await open(ada.page)
  const second = await open(await ada.context.newPage())
  await ada.context.setOffline(true)
  await menu(second, 'Menu', 'Edit')
  await second.getByRole('textbox', { name: 'Text' }).fill('Soup and rice')
  await edit(first, 'Menu', { Text: 'Soup and bread' })
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await line(second, '2 changes wait for a connection').waitFor()
  await line(first, '2 changes wait for a connection').waitFor()
  await ada.context.setOffline(false)
  await line(first, '1 change needs you').waitFor(SOON)
  await line(second, '1 change needs you').click(SOON)
  await second.getByRole('button', { name: 'Compare' }).last().click()
  const dialog = second.getByRole('dialog', { name: 'Two versions of “Menu”' })
  await dialog.getByRole('region', { name: 'Yours' }).getByText('Soup and rice').waitFor()
  await dialog.getByRole('region', { name: 'Theirs' }).getByText('Soup and bread').waitFor()
  await dialog.getByRole('button', { name: 'Keep both' }).click()
  await expect.poll(titles, SOON).toEqual(['Menu', 'Menu'])
  for (const text of ['Soup and bread', 'Soup and rice']) {
    await article(first, 'Menu').filter({ hasText: text }).waitFor(SOON)
    await article(second, 'Menu').filter({ hasText: text }).waitFor(SOON)
  }
  await line(first, /needs you/).waitFor({ state: 'detached', ...SOON })
})

test('an edit of what somebody else changed meanwhile waits for a choice', async () => {
  const { id, version } = await post('Plan', '<p>Monday</p>')
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await edit(page, 'Plan', { Text: 'Tuesday' })
  const theirs = await w.as('bob').patch(`/api/post/${id}`, { body: '<p>Wednesday</p>' }, { headers: { 'if-match': String(version) } })
  expect(theirs.status).toBe(200)
  await ada.context.setOffline(false)
  await page.getByRole('button', { name: 'Compare' }).first().click(SOON)
  const dialog = page.getByRole('dialog', { name: 'Two versions of “Plan”' })
  await dialog.getByText('Wednesday').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await w.as('ada').get(`/api/post/${id}`)).body.post.body, SOON).toBe('<p>Tuesday</p>')
  await article(page, 'Plan').getByText('Tuesday').waitFor()
})

test('when the role is lost while an edit waits, the text is kept, and may be saved elsewhere', async () => {
  await post('Report', '<p>Draft</p>', 'bob')
  const own = await w.as('bob').post('/api/collections', { name: 'Notes of Bob' })
  const page = await open(bob.page)
  await bob.context.setOffline(true)
  await edit(page, 'Report', { Text: 'Two long evenings of work' })
  await w.as('ada').put(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`, { role: 'read' })
  await bob.context.setOffline(false)
  await line(page, '1 change needs you').click(SOON)
  const dialog = page.getByRole('dialog', { name: 'Not saved yet' })
  await dialog.getByText('Two long evenings of work').waitFor()
  // Behind the dialog stands what the server has.
  await page.locator('article', { hasText: 'Draft' }).waitFor()
  await dialog.getByRole('button', { name: 'Save as a new post in…' }).click()
  await page.getByRole('menuitem', { name: 'Notes of Bob' }).click()
  const saved = async () => (await w.as('bob').get(`/api/post?collection_id=${own.body.collection.id}`)).body.posts
  await expect.poll(saved, SOON).toMatchObject([{ title: 'Report', body: '<p>Two long evenings of work</p>' }])
  await line(page, /needs you/).waitFor({ state: 'detached', ...SOON })
})

test('errors of the server and lost answers double nothing', async () => {
  const page = await open(ada.page)
  const left = ['lost', 'broken', 'lost']
  const sent: string[] = []
  await ada.context.route('**/api/post', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent.push(route.request().postDataJSON().id)
    const fate = left.shift()
    if (fate === 'broken') return route.fulfill({ status: 500, body: 'oops' })
    if (fate !== 'lost') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await write(page, 'Only once')
  await expect.poll(() => sent.length, { timeout: 30_000 }).toBe(4)
  expect(new Set(sent).size).toBe(1)
  await article(page, 'Only once')
    .getByText('Not saved yet')
    .waitFor({ state: 'detached', ...SOON })
  expect(await titles()).toEqual(['Only once'])
  expect(await article(page, 'Only once').count()).toBe(1)
})

test('with no room on the device, the tab says so and sends what it holds', async () => {
  await ada.context.addInitScript(() => {
    const add = IDBObjectStore.prototype.add
    IDBObjectStore.prototype.add = function (...given: Parameters<typeof add>) {
      if (this.name === 'operations') throw new DOMException('No room', 'QuotaExceededError')
      return add.apply(this, given)
    }
  })
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'Held in memory')
  await page.getByText('This device has no room to keep your changes').first().waitFor()
  await article(page, 'Held in memory').waitFor()
  await ada.context.setOffline(false)
  await expect.poll(titles, SOON).toEqual(['Held in memory'])
})

test('a part of the screen that was on its way when the connection went comes with the next one', async () => {
  const cut = Promise.withResolvers<void>()
  let asked = 0
  await ada.page.route('**/assets/filter-controls-*', async (route) => {
    if (asked++ > 0) return route.continue()
    await cut.promise
    await route.abort('internetdisconnected')
  })
  await ada.page.goto(`/collections/timeline?c=${w.collection.id}`)
  await expect.poll(() => asked).toBe(1)
  await ada.context.setOffline(true)
  const failed = ada.page.waitForEvent('requestfailed', (request) => request.url().includes('filter-controls'))
  cut.resolve()
  await failed
  await ada.page.getByRole('heading', { level: 1 }).waitFor()
  await ada.context.setOffline(false)
  await write(ada.page, 'Something to search for')
  await ada.page.getByRole('searchbox', { name: 'Search this collection' }).waitFor()
})

test('a dialog that was never opened here says that it needs a connection, and a post that was not comes with it', async () => {
  await post('First snow', '<p>White and quiet</p>')
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  const importing = async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Import…' }).click()
  }
  await importing()
  await page.getByText(LOAD_FAILURE).first().waitFor()
  await page.getByRole('button', { name: 'First snow', exact: true }).click()
  const waiting = page.getByText('It comes with the next connection.')
  await waiting.waitFor()
  // Not that of the message.
  await waiting.locator('..').getByRole('button', { name: 'Close', exact: true }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'First snow', exact: true }).click()
  await waiting.waitFor()
  await ada.context.setOffline(false)
  const reader = page.getByRole('dialog', { name: 'First snow' })
  await reader.getByText('White and quiet').waitFor()
  await page.keyboard.press('Escape')
  await reader.waitFor({ state: 'detached' })
  await importing()
  await page.getByRole('dialog', { name: 'Import' }).waitFor()
})

test('once a toast was pressed, the next one goes by itself again', async () => {
  const page = await open(ada.page)
  const undo = page.getByRole('button', { name: 'Undo' })
  await write(page, 'Too early')
  await undo.click()
  await article(page, 'Too early').waitFor({ state: 'detached' })
  await undo.waitFor({ state: 'detached' })
  await write(page, 'In time')
  await undo.waitFor()
  await undo.waitFor({ state: 'detached' })
})

test('a toast and Ctrl-Z take back, before and after it was sent', async () => {
  for (let i = 0; i < 3; i++) await upload(w.as('ada'), jpegLike(), { width: 40, height: 30, collectionIds: [w.collection.id] })
  const page = await open(ada.page, 'media')
  const photos = page.getByRole('button', { name: /^Photo / })
  await expect.poll(() => photos.count(), SOON).toBe(3)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).pathname))
  await photos.first().focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: /Move to trash/ }).click()
  await page.getByText('3 photos moved to the trash').first().waitFor()
  // A toast stays as long as somebody points at it.
  await page.getByRole('button', { name: 'Undo' }).hover()
  await expect.poll(() => photos.count()).toBe(0)
  await expect.poll(() => calls).toEqual(['/api/asset/bulk'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => photos.count(), SOON).toBe(3)
  const there = async () => (await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets.length
  await expect.poll(there, SOON).toBe(3)

  await open(page)
  await write(page, 'Written')
  await edit(page, 'Written', { Title: 'Changed' })
  await expect.poll(titles, SOON).toEqual(['Changed'])
  await page.keyboard.press('Control+z')
  await article(page, 'Written').waitFor(SOON)
  await expect.poll(titles, SOON).toEqual(['Written'])
  await page.keyboard.press('Control+z')
  await expect.poll(titles, SOON).toEqual([])
  await article(page, 'Written').waitFor({ state: 'detached', ...SOON })

  await ada.context.setOffline(true)
  await write(page, 'Never left')
  await page.keyboard.press('Control+z')
  await article(page, 'Never left').waitFor({ state: 'detached' })
  await ada.context.setOffline(false)
  expect(await titles()).toEqual([])
})

test('signing out asks first when something waits, and the same person may sign in again instead', async () => {
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
  await signIn(page, w.as('ada'))
  await expect.poll(titles, SOON).toEqual(['Unsaved'])
  expect(cookies.length).toBeGreaterThan(0)

  await open(page)
  await ada.context.setOffline(true)
  await write(page, 'Given up')
  await page.getByRole('button', { name: /Ada Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await page.waitForURL('**/login', SOON)
  await ada.context.setOffline(false)
  // The server hears of it now, so that the cookie signs nobody in again.
  await expect.poll(() => page.evaluate(async () => (await (await fetch('/api/auth/session')).json()).user), SOON).toBeNull()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sign-out-owed')), SOON).toBeNull()
  await signInAs(ada, w.as('ada'))
  await open(page)
  expect(await article(page, 'Given up').count()).toBe(0)
  expect(await titles()).toEqual(['Unsaved'])
})

test('what waits is never sent under the name of somebody who has signed in meanwhile', async () => {
  const page = await open(ada.page)
  await ada.context.setOffline(true)
  await write(page, 'By Ada')
  // As on the pages of a sign-in service, in another tab: this one does not hear of it.
  await signInAs(ada, w.as('bob'))
  await ada.context.setOffline(false)
  await page.getByRole('button', { name: /Bob Test/ }).waitFor(SOON)
  expect(await article(page, 'By Ada').count()).toBe(0)
  expect(await line(page, /wait/).count()).toBe(0)
  expect(await titles()).toEqual([])

  // What waits for her is nothing that he is asked about, and stays when he goes.
  await page.getByRole('button', { name: /Bob Test/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login', SOON)
  await signIn(page, w.as('ada'))
  await expect.poll(titles, SOON).toEqual(['By Ada'])
  const { body } = await w.as('bob').get(`/api/post?collection_id=${w.collection.id}`)
  expect(body.posts).toMatchObject([{ user_id: w.as('ada').id }])
})

test('a device whose clock is a day ahead or behind sends in order all the same', async () => {
  for (const [hours, title] of [
    [24, 'Tomorrow'],
    [-24, 'Yesterday'],
  ] as const) {
    const page = await ada.context.newPage()
    await page.addInitScript((off) => {
      const now = Date.now.bind(Date)
      Date.now = () => now() + off
    }, hours * 3_600_000)
    await open(page)
    await ada.context.setOffline(true)
    await write(page, title)
    await edit(page, title, { Title: `${title}, changed` })
    await ada.context.setOffline(false)
    await expect.poll(titles, SOON).toContain(`${title}, changed`)
    await page.close()
  }
  expect(await titles()).toEqual(['Tomorrow, changed', 'Yesterday, changed'])
})

test('a half-written post survives Back and a reload, and is offered again', async () => {
  const page = await open(ada.page, 'media')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Timeline' }).click()
  await page.getByRole('heading', { level: 1, name: 'Timeline' }).waitFor()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought')
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByText('You began this here before.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Half a thought')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect.poll(titles, SOON).toEqual(['Half a thought'])
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('')
})
