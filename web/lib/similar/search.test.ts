import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { createSearch } from './search.ts'

/** Of a photo with enough to see. */
const THUMBHASH = '1QcSHQRnh493V4dIh4eXh1h4kJUI'
const photo = (id: string) =>
  ({
    id,
    name: `${id}.jpg`,
    type: 'image/jpeg',
    status: 'ready',
    size: 1,
    width: 400,
    height: 300,
    thumbhash: THUMBHASH,
    created_at: '',
  }) as Asset

const none = () => false

/** A search, and what it tells, one by one. */
function searching() {
  const told: (string[][] | null)[] = []
  let heard = () => {}
  const search = createSearch((sets) => {
    told.push(sets)
    heard()
  })
  const count = (wanted: number) =>
    new Promise<void>((resolve) => {
      heard = () => told.length >= wanted && resolve()
      heard()
    })
  return { search, told, count }
}

test('A search is finished although photos are added during it, and then there is one more for all of them', async () => {
  const { search, told, count } = searching()
  const photos = ['a', 'b', 'c', 'd'].map(photo)
  let added = false
  search.ask(photos.slice(0, 2), () => {
    // In the middle of the search.
    if (!added) for (const n of [3, 4]) search.ask(photos.slice(0, n), none)
    added = true
    return false
  })
  await count(2)
  search.stop()
  expect(told).toEqual([[['a', 'b']], [['a', 'b', 'c', 'd']]])
})

test('A search that fails tells so, and the next one is made', async () => {
  const { search, told, count } = searching()
  search.ask([photo('a'), photo('b')], () => {
    throw new Error('Out of memory')
  })
  await count(1)
  search.ask([photo('a'), photo('b')], none)
  await count(2)
  search.stop()
  expect(told).toEqual([null, [['a', 'b']]])
})

test('Once stopped, it tells nothing more', async () => {
  const { search, told } = searching()
  const begun = new Promise<void>((resolve) => {
    search.ask([photo('a'), photo('b')], () => {
      search.stop()
      resolve()
      return false
    })
  })
  await begun
  const other = searching()
  other.search.ask([photo('a'), photo('b')], none)
  await other.count(1)
  other.search.stop()
  expect(told).toEqual([])
})
