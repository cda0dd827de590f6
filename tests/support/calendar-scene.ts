import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { DESKTOP, openBrowser, type Person, signInAs } from './people.ts'
import { type World, world } from './world.ts'

/** Everything here may wait for a page to load. */
export const until = <T>(see: () => T, message = '') => expect.poll(see, { timeout: 30_000, message })
export const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true })
/** A day with these contents and no others; what they are called follows in its name. */
export const day = (page: Page, label: string) => page.getByRole('gridcell', { name: new RegExp(`^${label}(?![,s])`) })

/** Ada, who has a calendar, and Rita, who may read it; each test fails of what Ada's page complains of. */
export function adasCalendar() {
  let chromium: Awaited<ReturnType<typeof openBrowser>>
  let w: World
  let ada: Person

  beforeAll(async () => {
    chromium = await openBrowser()
    w = await world({ rita: 'read' })
    ada = await chromium.person({ viewport: DESKTOP })
    await signInAs(ada, w.as('ada'))
  })
  afterEach(() => expect(ada.errors).toEqual([]))
  afterAll(() => chromium?.close())

  return {
    get chromium() {
      return chromium
    },
    get w() {
      return w
    },
    get ada() {
      return ada
    },

    address: (query = '', collection = w.collection.id) => `/collections/calendar?c=${collection}&${query}`,

    /** A collection of its own for each test, so that none depends on another. */
    async collection(): Promise<string> {
      const { body } = await w.as('ada').post('/api/collections', { name: 'Diary' })
      return body.collection.id
    },

    async write(fields: object, collection = w.collection.id): Promise<string> {
      const { status, body } = await w.as('ada').post('/api/post', { type: 'event', collectionIds: [collection], ...fields })
      expect(status, JSON.stringify(body)).toBe(201)
      return body.post.id
    },

    stored: async (id: string) => (await w.as('ada').get(`/api/post/${id}`)).body.post,
  }
}
