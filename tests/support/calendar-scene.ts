import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test as app } from './fixtures.ts'
import { world } from './world.ts'

/** Everything here may wait for a page to load. */
export const until = <T>(see: () => T, message = '') => expect.poll(see, { timeout: 30_000, message })
export const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
/** A day with these contents and no others; what they are called follows in its name. */
export const day = (page: Page, label: string) => page.getByRole('gridcell', { name: new RegExp(`^${label}(?![,s])`) })

/** Ada, who has a calendar of her own for each test, and Rita, who may read it. */
export const test = app
  .extend('people', { scope: 'file' }, () => world({ rita: 'read' }))
  .extend('diary', async ({ people }): Promise<string> => {
    const { body } = await people.as('ada').post('/api/collections', { name: 'Diary' })
    const { id } = body.collection
    await people.sql`insert into members (collection_id, user_id, role) values (${id}, ${people.as('rita').id}, 'read')`
    return id
  })
  .extend(
    'address',
    ({ diary }) =>
      (query: string) =>
        `/collections/calendar?c=${diary}&${query}`,
  )
  /** A page of Ada's. */
  .extend('page', async ({ openPage, people }) => (await openPage({ as: people.as('ada') })).page)
  .extend('write', ({ diary, people }) => async (fields: object): Promise<string> => {
    const { status, body } = await people.as('ada').post('/api/post', { type: 'event', collectionIds: [diary], ...fields })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.post.id
  })
  .extend(
    'stored',
    ({ people }) =>
      async (id: string) =>
        (await people.as('ada').get(`/api/post/${id}`)).body.post,
  )
