import { expect, test } from 'vitest'
import { FeedItem } from '../../../contract/feed.ts'
import { appendPage, arrivedAbove, feedEntries, mergeHead, newSince } from './entries.ts'

function item(id: string, at: string, more: Partial<FeedItem> = {}): FeedItem {
  const rest = {
    collection_id: 'kyoto',
    collection_name: 'Kyoto',
    user_id: 'ana',
    user_name: 'Ana',
    user_avatar: null,
    count: 1,
    photos: 1,
    videos: 0,
    samples: [],
  }
  return { id, kind: 'asset', at: `2026-05-${at}:00.123456+00:00`, ...rest, ...more }
}
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

test('Members who join the same collection on one day form one entry, unless another item comes between', () => {
  const joined = (id: string, at: string, more: Partial<FeedItem> = {}) => item(id, at, { kind: 'member', count: 1, ...more })
  const entries = feedEntries([
    joined('d', '03T12:00'),
    joined('c', '03T11:00'),
    item('photos', '03T10:00'),
    joined('b', '03T09:00'),
    joined('other', '03T08:00', { collection_id: 'oslo' }),
    joined('a', '02T09:00', { collection_id: 'oslo' }),
  ])
  expect(entries.map(({ items }) => ids(items))).toEqual([['d', 'c'], ['photos'], ['b'], ['other'], ['a']])
  // The id stays the same when another member joins.
  expect(entries[0]?.id).toBe('c')
})

test('Items of other users after the last visit are new', () => {
  const items = [item('c', '03T12:00', { user_id: 'me' }), item('b', '03T11:00'), item('a', '01T12:00')]
  expect(ids(newSince(items, '2026-05-02T00:00:00Z', 'me'))).toEqual(['b'])
  expect(ids(newSince(items, items[1]?.at ?? null, 'me'))).toEqual([])
  expect(ids(newSince(items, null, 'me'))).toEqual(['b', 'a'])
})

test('Groups that are missing from the list or have grown count as arrived above', () => {
  const shown = [item('b', '03T11:00'), item('a', '01T12:00')]
  const head = [item('own', '03T14:00', { user_id: 'me' }), item('c', '03T13:00'), item('b', '03T12:00'), item('a', '01T12:00')]
  expect(arrivedAbove(shown, head, 'me')).toBe(2)
  expect(arrivedAbove(head, head, 'me')).toBe(0)
})

test('The newest page replaces its part of the list and keeps older items', () => {
  const shown = [item('gone', '05T12:00'), item('b', '04T12:00'), item('a', '03T12:00'), item('old', '01T12:00')]
  const head = [item('b', '06T12:00'), item('new', '05T13:00'), item('a', '03T12:00')]
  expect(ids(mergeHead(shown, head, false))).toEqual(['b', 'new', 'a', 'old'])
  expect(ids(mergeHead(shown, head, true))).toEqual(['b', 'new', 'a'])
  expect(mergeHead(shown, [], true)).toEqual([])
})

test('A page loaded before its groups moved repeats none of them', () => {
  expect(ids(appendPage([item('b', '02T12:00')], [item('b', '02T11:00'), item('a', '01T12:00')]))).toEqual(['b', 'a'])
})

test('An entry that was stored before there were threads can still be read', () => {
  const id = '0198b2c4-0000-7000-8000-000000000001'
  const sample = {
    id,
    type: 'image/jpeg',
    version: 1,
    thumbhash: null,
    renditions: [],
    title: 'a.jpg',
    excerpt: '',
    cover: null,
    answers: null,
  }
  const stored = { ...item(id, '03T12:00', { collection_id: id }), samples: [sample] }
  expect(FeedItem.safeParse(stored).success).toBe(true)
})
