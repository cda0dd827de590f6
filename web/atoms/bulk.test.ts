import { atom, createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Role } from '../../contract/policy.ts'
import { ActionError } from '../lib/action-error.ts'
import { ApiError } from '../lib/api.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { openOutbox } from '../lib/outbox/outbox.ts'
import type { Operation } from '../lib/outbox/types.ts'
import { applyPlanAtom, bulkRefusalsAtom, selectedItemsAtom, trashItemsAtom } from './bulk.ts'
import { circleAtom } from './circle.ts'
import { selectedCollectionAtom } from './collections.ts'
import { assetsAtom } from './content.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { bulkAtom, createPostAtom, editAssetAtom, editPostAtom, linkAtom, undoAtom, withUndoOfServerAtom } from './outbox.ts'
import type { BulkChange } from './outbox-types.ts'
import { operationsAtom } from './pending.ts'
import { selectCollectionAtom } from './selected-collection.ts'
import { selectAllAtom, selectAtom, selectionAtom } from './selection.ts'
import { toastsAtom } from './toasts.ts'

const { ADA, roleAtom } = await vi.hoisted(async () => {
  const { atom: make } = await import('jotai')
  return { ADA: '11111111-1111-4111-8111-111111111111', roleAtom: make<string>('owner') }
})
vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/outbox/outbox.ts')
vi.mock('./session.ts', async (original) => ({ ...(await original<object>()), sessionUserIdAtom: atom(ADA) }))
vi.mock('./collections.ts', async (original) => ({
  ...(await original<object>()),
  selectedCollectionAtom: atom((get) => ({ id: KYOTO, name: 'Kyoto', role: get(roleAtom) })),
  collectionsAtom: atom((get) => [
    { id: KYOTO, name: 'Kyoto', role: get(roleAtom) },
    { id: NARA, name: 'Nara', role: 'write' },
  ]),
}))

const KYOTO = '22222222-2222-4222-8222-222222222222'
const NARA = '44444444-4444-4444-8444-444444444444'
const BOB = '33333333-3333-4333-8333-333333333333'
const page = (rows: unknown[]) => ({ rows: rows as never[], deleted: [], nextCursor: null, revision: 1 })
const row = (user_id = ADA, places = [KYOTO]) => ({
  ...{ id: newId(), user_id, type: 'image/jpeg', name: 'gate.jpg', alt: null, date: null, date_zone: null, date_precision: 'unknown' },
  ...{ version: 1, people: [], location: null, collections: places.map((collection_id) => ({ collection_id, user_id, added_at: '' })) },
})
let sent: Operation[]
let takenBack: string[]

beforeEach(() => {
  sent = []
  takenBack = []
  vi.mocked(openOutbox).mockReturnValue({
    ready: Promise.resolve(),
    operations: () => [],
    add: async (operation: Operation) => void sent.push(operation),
    takeBack: async (id: string) => {
      takenBack.push(id)
      return 'dropped'
    },
  } as never)
})

async function open(photos: unknown[], role: Role = 'owner') {
  vi.mocked(assetsPage).mockResolvedValue(page(photos))
  vi.mocked(postsPage).mockResolvedValue(page([]))
  const store = createStore()
  store.set(roleAtom, role)
  store.set(selectCollectionAtom, KYOTO)
  await store.set(fetchContentAtom, KYOTO)
  store.set(selectAllAtom)
  return store
}

test('What a former member or a reader added is removed, and what others added goes to the trash', async () => {
  const titles = async (role: Role | null) => {
    const store = await open([row(BOB)], 'admin')
    const members = role ? [{ user_id: BOB, role }] : []
    store.set(circleAtom, () => ({ collectionId: KYOTO, members: members as never[], invites: [], people: [], revision: 1 }))
    await store.set(trashItemsAtom, store.get(selectedItemsAtom))
    return store.get(toastsAtom).map(({ title }) => title)
  }
  expect(await titles('write')).toEqual(['1 photo moved to the trash'])
  expect(await titles('read')).toEqual(['1 photo removed'])
  expect(await titles(null)).toEqual(['1 photo removed'])
})

test('A change of more than a thousand items is sent in portions, with one toast and one Undo', async () => {
  const store = await open(Array.from({ length: 2_500 }, () => row()))
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  expect(sent.map(({ action }) => ('ids' in action ? action.ids.length : 0))).toEqual([1_000, 1_000, 500])
  expect(store.get(toastsAtom).map(({ title }) => title)).toEqual(['2,500 photos moved to the trash'])
  expect(store.get(selectionAtom).size).toBe(0)
  await store.set(undoAtom)
  expect(takenBack.toSorted()).toEqual(sent.map(({ id }) => id).toSorted())
})

test('A bulk change applies only to items that the role allows, and names the others', async () => {
  const store = await open([row(), row(BOB), row(BOB)], 'write')
  expect(store.get(bulkRefusalsAtom)).toEqual({})
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  expect(sent.flatMap(({ action }) => ('ids' in action ? action.ids : []))).toHaveLength(1)
  expect(store.get(toastsAtom)[0]).toMatchObject({
    title: '1 photo moved to the trash',
    description: '2 cannot be changed by you – they stay as they are.',
  })
})

test('A removal names the collections in which an item still is', async () => {
  const bobs = await open([row(BOB, [KYOTO, NARA])])
  const removal = await bobs.set(trashItemsAtom, bobs.get(selectedItemsAtom))
  expect(removal).toEqual({ id: bobs.get(toastsAtom)[0]?.id, title: '1 photo removed' })
  expect(bobs.get(toastsAtom)[0]).toMatchObject({ title: '1 photo removed', description: 'Still in Nara.' })
  const own = await open([row(ADA, [KYOTO, NARA])])
  await own.set(trashItemsAtom, own.get(selectedItemsAtom))
  expect(own.get(toastsAtom)[0]).toMatchObject({ title: '1 photo moved to the trash' })
  expect(own.get(toastsAtom)[0]?.description).toBeUndefined()
})

test.each([
  ['read', BOB, /^Your role here is to look/],
  ['read', ADA, /^Your role here is to look/],
  ['write', BOB, /^These were added by others/],
  ['write', ADA, undefined],
  ['admin', BOB, undefined],
] satisfies [Role, string, RegExp | undefined][])('The role %s on an item of %s gets the refusal %s', async (role, owner, reason) => {
  const store = await open([row(owner)], role)
  const { edit, remove, unlink } = store.get(bulkRefusalsAtom)
  for (const refusal of [edit, remove, unlink]) reason ? expect(refusal).toMatch(reason) : expect(refusal).toBeUndefined()
})

test('The selection is cleared with its collection, and ids of missing items are not counted', async () => {
  const [one, two] = [row(), row()]
  const store = await open([one, two])
  store.set(selectAtom, [newId()], true)
  expect(store.get(selectedItemsAtom)).toHaveLength(2)
  store.set(selectCollectionAtom, BOB)
  expect(store.get(selectionAtom).size).toBe(0)
  expect(store.get(selectedCollectionAtom)).toBeTruthy()
})

test('A bulk change is one operation per kind of item, with its values', async () => {
  const store = await open([row()])
  const items = store.get(selectedItemsAtom)
  const plan = { change: items, already: 0, denied: 0, undated: 0, beyond: 0, from: '', to: '' }
  const location = { lat: 35, lon: 135, name: 'Kyoto' }
  await store.set(applyPlanAtom, { plan, change: { kind: 'location', location }, title: '1 photo moved to Kyoto', icon: 'location-on' })
  expect(sent.map(({ action }) => action)).toEqual([{ kind: 'location', item: 'asset', ids: [items[0]?.id], location }])
  expect(store.get(toastsAtom)[0]?.description).toBeUndefined()
})

test.each<[string, BulkChange]>([
  ['a date', { kind: 'date', date: '2024-05-01T09:00:00Z' }],
  ['a location', { kind: 'location', location: { lat: 35, lon: 135, name: 'Kyoto' } }],
  ['people', { kind: 'people', add: [BOB] }],
  ['a collection', { kind: 'link', collectionIds: [BOB] }],
  ['no collection any more', { kind: 'unlink', collectionId: KYOTO }],
  ['the trash', { kind: 'trash' }],
])('A bulk change without items sends nothing, and with one kind sends one operation: %s', async (_what, change) => {
  const store = await open([row()])
  await store.set(bulkAtom, { posts: [], assets: [] }, 'nothing', change)
  expect(sent).toEqual([])
  await store.set(bulkAtom, { posts: [], assets: [newId()] }, '1 photo', change)
  expect(sent.map(({ action }) => 'item' in action && action.item)).toEqual(['asset'])
})

test('A bulk change sends nothing if no item may be changed or no collection is chosen', async () => {
  const store = await open([row(BOB)], 'write')
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  await expect((async () => store.set(linkAtom, { assets: [newId()] }, '1 photo', []))()).rejects.toThrow()
  expect(sent).toEqual([])
})

test('An edit of a photo is sent without what other changes that wait have changed, since they may be taken back', async () => {
  const photo = row()
  const store = await open([photo])
  await store.set(bulkAtom, { assets: [photo.id] }, '1 photo', { kind: 'location', location: { lat: 1, lon: 2 } })
  store.set(operationsAtom, sent)
  expect(store.get(assetsAtom)[0]?.location).toMatchObject({ lat: 1, lon: 2 })
  await store.set(editAssetAtom, photo.id, { alt: 'A gate' })
  expect(sent.at(-1)?.action).toMatchObject({ kind: 'editAsset', patch: { alt: 'A gate' }, before: { alt: null, location: null } })
})

test('Undo takes back what the user did, not what the app did by itself afterwards', async () => {
  const photo = row()
  const store = await open([photo])
  const { id } = await store.set(linkAtom, { assets: [photo.id] }, '1 photo', [NARA])
  for (let nth = 0; nth < 60; nth++) await store.set(createPostAtom, KYOTO, { type: 'note', title: `Imported ${nth}` }, true)
  expect(await store.set(undoAtom)).toMatchObject({ id, title: '1 photo' })
})

test('Undo of an edit takes back what the app has added to the same post since', async () => {
  const store = await open([])
  const id = newId()
  await store.set(createPostAtom, KYOTO, { id, type: 'note', title: 'Gates' })
  const base = {
    id,
    title: 'Gates',
    version: 1,
    date: null,
    date_zone: null,
    date_precision: 'unknown',
    location: null,
    people: [],
    assets: [],
  }
  await store.set(editPostAtom, id, { existingAssetIds: [newId()] }, { base: base as never, byItself: true })
  await store.set(undoAtom)
  expect(takenBack).toEqual(sent.map((operation) => operation.id).toReversed())
  expect(await store.set(undoAtom)).toBeNull()
})

test('A change whose Undo fails comes next again, before older ones', async () => {
  const store = await open([row()])
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  let offline = true
  const undo = async () => {
    if (offline) throw new Error('No connection')
  }
  store.set(withUndoOfServerAtom, { title: 'Bob removed', description: 'Bob stays removed.', undo })
  await expect(store.set(undoAtom)).rejects.toThrow('No connection')
  offline = false
  expect(await store.set(undoAtom)).toMatchObject({ title: 'Bob removed', note: 'Bob stays removed.' })
  expect(takenBack).toEqual([])
})

test('After a change whose Undo the server has refused, the one before it can be undone', async () => {
  const store = await open([row()])
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  const undo = async () => {
    throw new ActionError('Not undone', new ApiError('conflict', 'Somebody changed this since'))
  }
  store.set(withUndoOfServerAtom, { title: 'Merged', undo })
  await expect(store.set(undoAtom)).rejects.toThrow('Not undone')
  await store.set(undoAtom)
  expect(takenBack).toEqual(sent.map(({ id }) => id))
})

test('Ctrl-Z and the Undo of a toast take back what the server has done already, the latest first', async () => {
  const store = await open([row()])
  await store.set(trashItemsAtom, store.get(selectedItemsAtom))
  const undone: string[] = []
  for (const title of ['Stacked', 'Merged']) store.set(withUndoOfServerAtom, { title, undo: async () => undone.push(title) })
  await store.set(undoAtom)
  expect([undone, takenBack]).toEqual([['Merged'], []])
  store
    .get(toastsAtom)
    .find(({ title }) => title === 'Stacked')
    ?.actions[0]?.onClick()
  await vi.waitFor(() => expect(undone).toEqual(['Merged', 'Stacked']))
  await store.set(undoAtom)
  expect(takenBack).toEqual(sent.map(({ id }) => id))
})
