import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Archive } from '../../contract/archive.ts'
import type { Client } from '../../dev/http-client.ts'
import { type Packed, tgzOf, Unzipped, zipOf } from './archives.ts'
import { test as app } from './fixtures.ts'
import { dropFiles, type Person } from './people.ts'
import { world } from './world.ts'

/** Ada imports into her collection Kyoto, which Bob reads. */
export const test = app
  /** Small ones, as new to every run as a person's own. */
  .extend('pictures', { scope: 'file' }, async () => {
    const names = (await readdir(PICTURES)).filter((name) => name.endsWith('.jpg')).slice(0, 4)
    return Promise.all(
      names.map(async (name) => new Uint8Array(await sharp(path.join(PICTURES, name)).resize(480).jpeg({ quality: 70 }).toBuffer())),
    )
  })
  .extend('kyoto', () => world({ bob: 'read' }))
  .extend('ada', ({ kyoto, openPage }) => openPage({ as: kyoto.as('ada'), acceptDownloads: true }))
  .extend('bob', ({ kyoto, openPage }) => openPage({ as: kyoto.as('bob') }))
  .extend(
    'picture',
    ({ pictures }) =>
      (i: number) =>
        pictures[i % pictures.length] ?? new Uint8Array(),
  )
  /** `changed` alters the archive, one character a byte. */
  .extend('dropArchive', ({ folder, kyoto }) => async (page: Page, name: string, files: Packed, changed?: (bytes: string) => string) => {
    const file = path.join(folder, `${kyoto.collection.id}-${name}`)
    const bytes = name.endsWith('.tgz') ? tgzOf(files) : zipOf(files)
    await writeFile(file, changed ? Buffer.from(changed(Buffer.from(bytes).toString('latin1')), 'latin1') : bytes)
    await dropFiles(page, [file])
  })
  .extend('openView', ({ kyoto }) => async (person: Person, view: string, id = kyoto.collection.id): Promise<Page> => {
    await person.page.goto(`/collections/${view}?c=${id}`)
    await person.page.getByRole('heading', { level: 1 }).waitFor()
    return person.page
  })

const PICTURES = path.resolve(import.meta.dirname, '../../dev/demo/pictures')
const SOON = { timeout: 60_000 }

export async function archiveOf(who: Client, id: string): Promise<Archive> {
  return new Unzipped((await who.get(`/api/collections/${id}/export`)).bytes).archive
}

const collectionsOf = async (who: Client) =>
  (await who.get('/api/collections')).body.collections as { id: string; name: string; post_count: number; asset_count: number }[]

/** The id of the collection of this name, once it holds so much. `not` is one of the same name. */
export async function filled(who: Client, name: string, count: { posts: number; assets: number }, not?: string): Promise<string> {
  const named = async () => (await collectionsOf(who)).find((collection) => collection.name === name && collection.id !== not)
  await expect
    .poll(async () => {
      const collection = await named()
      return collection && { posts: collection.post_count, assets: collection.asset_count }
    }, SOON)
    .toEqual(count)
  return (await named())?.id ?? ''
}

/** The lines in which the dialog says what it has found. */
export const found = (dialog: Locator) => dialog.getByRole('list', { name: 'Found' }).getByRole('listitem').allTextContents()
