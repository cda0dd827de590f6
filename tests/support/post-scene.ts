import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { Post } from '../../contract/posts.ts'
import { test as app } from './viewer.ts'
import { world } from './world.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')

/** Ada, who owns Kyoto; Bob, an admin; and Cy, who may only read: anew for each test. */
export const test = app
  .extend('kyoto', () => world({ bob: 'admin', cy: 'read' }))
  .extend(
    'at',
    ({ kyoto, watch }) =>
      (name: string) =>
        watch(kyoto, name, 'timeline'),
  )
  .extend('posts', ({ kyoto }) => async (): Promise<Post[]> => {
    return (await kyoto.as('ada').get(`/api/post?collection_id=${kyoto.collection.id}`)).body.posts
  })
  /** Over HTTP. */
  .extend('write', ({ kyoto }) => async (more: object = {}): Promise<Post> => {
    const fields = { type: 'note', title: 'Menu', body: '<p>Soup</p>', collectionIds: [kyoto.collection.id], ...more }
    return (await kyoto.as('ada').post('/api/post', fields)).body.post
  })

/** Photos on disk, to drop onto a page. */
export async function pictureFiles(count: number): Promise<string[]> {
  return (await readdir(PICTURES)).slice(0, count).map((name) => path.join(PICTURES, name))
}

type Dialog = ReturnType<Page['getByRole']>
export const text = (dialog: Dialog) => dialog.getByRole('textbox', { name: 'Text', exact: true })
export const save = (dialog: Dialog, verb: 'Post' | 'Save') => dialog.getByRole('button', { name: verb, exact: true }).click()
export const reader = (page: Page, name: string) => page.getByRole('dialog', { name })
