import { atom, createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { writeLocal } from '../lib/storage.ts'
import {
  alsoInAtom,
  callDifferentAtom,
  differentSetsAtom,
  offerDifferentAtom,
  postsShowingAtom,
  someDifferentAtom,
  takeBackDifferentAtom,
} from './similar.ts'

let stored: string | null
vi.mock('../lib/storage.ts', async (original) => ({
  ...(await original<object>()),
  readLocal: () => stored,
  writeLocal: vi.fn((_key: string, value: string | null) => {
    stored = value
  }),
}))
vi.mock('./selected-collection.ts', async (original) => ({ ...(await original<object>()), selectedCollectionIdAtom: atom('kyoto') }))
vi.mock('./collections.ts', async (original) => ({
  ...(await original<object>()),
  collectionsAtom: atom([
    { id: 'kobe', name: 'Kobe' },
    { id: 'kyoto', name: 'Kyoto' },
    { id: 'nara', name: 'Nara' },
  ]),
}))
vi.mock('./content.ts', async (original) => ({
  ...(await original<object>()),
  assetsAtom: atom(['a', 'b', 'c'].map((id) => ({ id }))),
  postsAtom: atom([
    { id: 'one', title: 'Birds', assets: [{ id: 'a' }] },
    { id: 'two', title: 'Birds', assets: [{ id: 'a' }, { id: 'b' }] },
  ]),
}))

beforeEach(() => {
  stored = null
  vi.mocked(writeLocal).mockClear()
})

test('Two posts of one title that show a photo are told apart by their ids', () => {
  const postsOf = createStore().get(postsShowingAtom)
  expect(postsOf('a')).toEqual([
    { id: 'one', title: 'Birds' },
    { id: 'two', title: 'Birds' },
  ])
  expect(postsOf('c')).toEqual([])
})

test('The other collections of a photo have their names, and one that is not known has none', () => {
  const collections = ['nara', 'kyoto', 'elsewhere'].map((collection_id) => ({ collection_id, user_id: '', added_at: '' }))
  expect(createStore().get(alsoInAtom)({ collections } as unknown as Asset)).toEqual(['Nara'])
})

test('What was called different is taken back alone, or all of it that is here', () => {
  const store = createStore()
  for (const ids of [
    ['a', 'b'],
    ['b', 'c'],
    ['x', 'y'],
  ])
    store.set(callDifferentAtom, ids)
  store.set(takeBackDifferentAtom, ['a', 'b'])
  expect(store.get(differentSetsAtom)).toEqual([
    ['b', 'c'],
    ['x', 'y'],
  ])
  store.set(offerDifferentAtom)
  expect(store.get(differentSetsAtom)).toEqual([['x', 'y']])
  expect(store.get(someDifferentAtom)).toBe(false)
})
