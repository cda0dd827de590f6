import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { fetchedAhead } from './fetched-ahead.ts'
import { openBrowser, type Person, signInAs } from './people.ts'
import { type World, world } from './world.ts'

/** As long as what waited takes to be sent and to be seen by others. */
export const SOON = { timeout: 30_000 }

/** Ada and Bob, who both change one collection: a world and two browsers anew for each test, which fails of what their pages complain of. */
export function adaAndBob() {
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

  return {
    get w() {
      return w
    },
    get ada() {
      return ada
    },
    get bob() {
      return bob
    },

    /** A view with everything fetched that it needs without a connection. */
    async open(page: Page, view = 'timeline'): Promise<Page> {
      await page.goto(`/collections/${view}?c=${w.collection.id}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect
        .poll(() => page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name?.startsWith('cairn-outbox'))))
        .toBe(true)
      await fetchedAhead(page)
      return page
    },

    /** Over HTTP, before the test begins. */
    async post(title: string, body = '', as = 'ada') {
      const made = await w.as(as).post('/api/post', { type: 'note', title, body, collectionIds: [w.collection.id] })
      expect(made.status).toBe(201)
      return made.body.post
    },

    /** What the server has. */
    async titles(): Promise<string[]> {
      const { body } = await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)
      return body.posts.map(({ title }: { title: string }) => title).toSorted()
    },
  }
}

export async function write(page: Page, title: string, text = ''): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Note' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export async function menu(page: Page, title: string, item: 'Edit' | 'Move to trash'): Promise<void> {
  await article(page, title).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

export async function edit(page: Page, title: string, fields: { Title?: string; Text?: string }): Promise<void> {
  await menu(page, title, 'Edit')
  for (const [name, value] of Object.entries(fields)) await page.getByRole('textbox', { name }).fill(value)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
/** The line of the shell that tells what waits. */
export const line = (page: Page, words: string | RegExp) => page.getByRole('button', { name: words })
