import { expect } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { world } from '../support/world.ts'

/**
 * Rows as version 1 of the databases `cairn-outbox-…` and `cairn-uploads-…` holds them. They are on people's devices: they are written
 * here word for word, and whatever the code is called by now, all of them have to be sent.
 */

const SOON = { timeout: 30_000 }

/** Puts rows into the stores of a new database, without any code of the app. */
async function seed(
  person: Person,
  name: string,
  stores: Record<string, { keyPath?: string; index?: string; rows: [unknown, unknown][] }>,
) {
  await person.page.goto('/robots.txt')
  await person.page.evaluate(
    async ([database, wanted]) => {
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(database, 1)
        opening.onupgradeneeded = () => {
          for (const [store, { keyPath, index, rows }] of Object.entries(wanted)) {
            const made = opening.result.createObjectStore(store, keyPath ? { keyPath, autoIncrement: true } : {})
            if (index) made.createIndex(index, index, { unique: true })
            for (const [key, row] of rows) {
              const value = store === 'files' ? new Blob([row as string]) : row
              made.put(value, keyPath ? undefined : (key as string))
            }
          }
        }
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
        opening.onerror = () => reject(opening.error)
      })
    },
    [name, stores] as const,
  )
}

test('Every kind of change that the version before left on a device is sent', async ({ openPage }) => {
  const w = await world()
  const ada = w.as('ada')
  const collectionId = w.collection.id
  const other = await collectionOf(w, 'ada')
  const post = async (title: string) => {
    const { body } = await ada.post('/api/post', { type: 'note', title, date: '2025-01-01T10:00:00Z', collectionIds: [collectionId] })
    return body.post
  }
  const [edited, dated, located, trashed, unlinked, linked, restored, peopled, uncertain] = await Promise.all(
    ['Edited', 'Dated', 'Located', 'Trashed', 'Unlinked', 'Linked', 'Restored', 'Peopled', 'Sent already'].map(post),
  )
  const assetId = await assetRow(w, 'ada', [collectionId])
  const { body: made } = await ada.post(`/api/collections/${collectionId}/people`, { name: 'Grace' })
  const personId = made.person.id
  await ada.delete('/api/post/bulk', { ids: [restored.id] })
  await ada.put(`/api/post/${uncertain.id}`, { title: 'Sent once', version: uncertain.version })

  const row = (action: object, more: object = {}) => ({
    ...{ id: newId(), userId: ada.id, collectionId, action, title: '“A change”', state: 'waiting', uncertain: false, undone: false },
    ...{ attempts: 0, problem: null, theirs: null, changeId: null, ...more },
  })
  const problem = { code: 'offline', message: 'No connection', fields: {} }
  const created = { id: newId(), type: 'note', title: 'Created', body: '<p>Text</p>', collectionIds: [collectionId] }
  const actions = [
    row({ kind: 'create', post: created, author: 'Ada Test' }),
    row({ kind: 'editPost', id: edited.id, patch: { title: 'Edited here' }, before: { title: 'Edited' }, version: edited.version }),
    row({ kind: 'editAsset', id: assetId, patch: { alt: 'A view' }, before: { alt: null }, version: 1 }),
    row({ kind: 'link', item: 'post', ids: [linked.id], collectionIds: [other] }),
    row({ kind: 'unlink', item: 'post', ids: [unlinked.id], collectionId }),
    row({
      ...{ kind: 'date', item: 'post', ids: [dated.id], change: { shift: { days: 2 } } },
      targets: { [dated.id]: { from: dated.date, date: '2025-01-03T10:00:00.000Z', endsAt: null } },
    }),
    row({ kind: 'location', item: 'post', ids: [located.id], location: { lat: 48.2, lon: 16.4 } }),
    row({ kind: 'people', item: 'post', ids: [peopled.id], add: [personId], remove: [] }, { attempts: 2, problem }),
    row({ kind: 'trash', item: 'post', ids: [trashed.id] }),
    row({ kind: 'undo', changeId: null, posts: [restored], assets: [] }),
    // Its answer was lost: the server has it already.
    row(
      {
        ...{ kind: 'editPost', id: uncertain.id, patch: { title: 'Sent once' }, before: { title: 'Sent already' } },
        version: uncertain.version,
      },
      { uncertain: true, attempts: 1, problem },
    ),
  ]
  // Of the version before that: it knew no `changeId`.
  const { changeId: _, ...first } = actions[0] ?? {}
  const rows = [first, ...actions.slice(1)].map((value): [unknown, unknown] => [null, value])

  const device = await openPage({ as: ada })
  await seed(device, `cairn-outbox-${ada.id}`, { operations: { keyPath: 'seq', index: 'id', rows } })
  await device.page.goto(`/collections/timeline?c=${collectionId}`)

  const server = async () => {
    const { body } = await ada.get(`/api/post?collection_id=${collectionId}`)
    return new Map<string, (typeof body.posts)[number]>(body.posts.map((one: { title: string }) => [one.title, one]))
  }
  await expect
    .poll(async () => [...(await server()).keys()].toSorted(), SOON)
    .toEqual(['Created', 'Dated', 'Edited here', 'Linked', 'Located', 'Peopled', 'Restored', 'Sent once'])
  await device.page.getByText(/wait/).waitFor({ state: 'detached', ...SOON })
  const posts = await server()
  expect(posts.get('Created').body).toBe('<p>Text</p>')
  expect(Date.parse(posts.get('Dated').date)).toBe(Date.parse('2025-01-03T10:00:00Z'))
  expect(posts.get('Located').location).toMatchObject({ lat: 48.2, lon: 16.4 })
  expect(posts.get('Peopled').people).toEqual([personId])
  expect(posts.get('Linked').collections.map((link: { collection_id: string }) => link.collection_id)).toContain(other)
  const [asset] = await w.sql`select alt from assets where id = ${assetId}`
  expect(asset?.alt).toBe('A view')
})

test('A refused change and a conflict that the version before left on a device still wait for the person', async ({ openPage }) => {
  const w = await world()
  const ada = w.as('ada')
  const collectionId = w.collection.id
  const { body } = await ada.post('/api/post', { type: 'note', title: 'Theirs', collectionIds: [collectionId] })
  const row = (action: object, more: object) => ({
    ...{ id: newId(), userId: ada.id, collectionId, action, title: '“Mine”', uncertain: false, undone: false },
    ...{ attempts: 0, problem: null, theirs: null, changeId: null, ...more },
  })
  const refused = row(
    { kind: 'create', post: { id: newId(), type: 'note', title: 'Refused', collectionIds: [collectionId] }, author: 'Ada Test' },
    { state: 'refused', problem: { code: 'not_found', message: 'The collection is no longer shared with you', fields: {} } },
  )
  const conflict = row(
    { kind: 'editPost', id: body.post.id, patch: { title: 'Mine' }, before: { title: 'Before' }, version: 0 },
    { state: 'conflict', theirs: body.post },
  )
  const device = await openPage({ as: ada })
  const rows = [refused, conflict].map((value): [unknown, unknown] => [null, value])
  await seed(device, `cairn-outbox-${ada.id}`, { operations: { keyPath: 'seq', index: 'id', rows } })
  await device.page.goto(`/collections/timeline?c=${collectionId}`)
  await device.page.getByText(/2 changes/).waitFor(SOON)
})

test('A file that the version before left on a device is uploaded with all that was said about it', async ({ openPage }) => {
  const w = await world()
  const ada = w.as('ada')
  const collectionId = w.collection.id
  const id = newId()
  const item = {
    ...{ id, userId: ada.id, collectionId, name: 'letter.txt', type: 'text/plain', size: 7, addedAt: Date.now(), state: 'retrying' },
    ...{ sent: 0, attempts: 3, retryAt: Date.now() + 3_600_000, message: 'Waiting for the connection', code: 'offline', final: false },
    ...{ keep: 'kept', begun: false, meta: null },
    given: {
      ...{ exactly: true, date: '2020-02-02T10:00:00.000Z', dateZone: 'Europe/Vienna', datePrecision: 'day' },
      ...{ location: { lat: 48.2, lon: 16.4 }, alt: 'A letter', peopleIds: [] },
    },
  }
  const device = await openPage({ as: ada })
  await seed(device, `cairn-uploads-${ada.id}`, {
    items: { rows: [[id, item]] },
    files: { rows: [[id, 'letters']] },
    pictures: { rows: [] },
  })
  await device.page.goto(`/collections/media?c=${collectionId}`)
  const stored = () => w.sql`select name, status, alt, date_zone, date_precision, lat from assets where id = ${id}`
  await expect
    .poll(stored, SOON)
    .toEqual([{ name: 'letter.txt', status: 'ready', alt: 'A letter', date_zone: 'Europe/Vienna', date_precision: 'day', lat: 48.2 }])
})
