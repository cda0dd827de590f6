import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Post } from '../../contract/posts.ts'
import { openBrowser, type Person, signInAs } from './people.ts'
import { type Viewer, viewer } from './viewer.ts'
import { type World, world } from './world.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

/** Ada, Bob and Cy, who may only read, round one collection: a world anew for each test, which fails of what their pages complain of. */
export function peopleAtPosts() {
  let chromium: Awaited<ReturnType<typeof openBrowser>>
  let w: World
  let open: Person[] = []

  beforeAll(async () => {
    chromium = await openBrowser()
  })
  afterAll(() => chromium?.close())
  beforeEach(async () => {
    w = await world({ bob: 'admin', cy: 'read' })
  })
  afterEach(async () => {
    const errors = open.flatMap((person) => person.errors)
    for (const { context } of open) await context.close()
    open = []
    expect(errors).toEqual([])
  })

  return {
    get w() {
      return w
    },

    async at(name: string, options = {}): Promise<Viewer> {
      const who = await viewer({ chromium, world: w, name, view: 'timeline', options })
      open.push(who)
      return who
    },

    /** A page of somebody without waiting for their live rooms. */
    async visit(name: string, address: string, options = {}): Promise<Page> {
      const who = await chromium.person(options)
      open.push(who)
      await signInAs(who, w.as(name))
      await who.page.goto(address)
      return who.page
    },

    async posts(): Promise<Post[]> {
      return (await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)).body.posts
    },

    /** Over HTTP. */
    async write(more: object = {}): Promise<Post> {
      const fields = { type: 'note', title: 'Menu', body: '<p>Soup</p>', collectionIds: [w.collection.id], ...more }
      return (await w.as('ada').post('/api/post', fields)).body.post
    },
  }
}

/** Photos on disk, to drop onto a page. */
export async function pictureFiles(count: number): Promise<string[]> {
  return (await readdir(PICTURES)).slice(0, count).map((name) => path.join(PICTURES, name))
}

type Dialog = ReturnType<Page['getByRole']>
export const text = (dialog: Dialog) => dialog.getByRole('textbox', { name: 'Text', exact: true })
export const save = (dialog: Dialog, verb: 'Post' | 'Save') => dialog.getByRole('button', { name: verb, exact: true }).click()
export const reader = (page: Page, name: string) => page.getByRole('dialog', { name })
