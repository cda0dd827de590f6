import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { fetchedAhead } from './fetched-ahead.ts'
import { test as app } from './fixtures.ts'
import { world } from './world.ts'

/** As long as what waited takes to be sent and to be seen by others. */
export const SOON = { timeout: 30_000 }

/** Ada and Bob, who both change Kyoto, each with a page of their own: anew for each test. */
export const test = app
  .extend('expectedErrors', () => [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/])
  .extend('kyoto', () => world({ bob: 'admin' }))
  .extend('ada', ({ kyoto, openPage }) => openPage({ as: kyoto.as('ada') }))
  .extend('bob', ({ kyoto, openPage }) => openPage({ as: kyoto.as('bob') }))
  /** Opens a view, with everything fetched that it needs without a connection. */
  .extend('open', ({ kyoto }) => async (page: Page, view = 'timeline'): Promise<Page> => {
    await page.goto(`/collections/${view}?c=${kyoto.collection.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect
      .poll(() => page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name?.startsWith('cairn-outbox'))))
      .toBe(true)
    await fetchedAhead(page)
    return page
  })
  /** Over HTTP, before the test begins. */
  .extend('post', ({ kyoto }) => async (title: string, body = '', as = 'ada') => {
    const made = await kyoto.as(as).post('/api/post', { type: 'note', title, body, collectionIds: [kyoto.collection.id] })
    expect(made.status).toBe(201)
    return made.body.post
  })
  /** Titles of the posts on the server. */
  .extend('titles', ({ kyoto }) => async (): Promise<string[]> => {
    const { body } = await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)
    return body.posts.map(({ title }: { title: string }) => title).toSorted()
  })

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
