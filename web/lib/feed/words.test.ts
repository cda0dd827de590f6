import { expect, test } from 'vitest'
import type { FeedItem, FeedSample } from '../../../contract/feed.ts'
import { contentText, namesOf } from './words.ts'

const post = (type: string) => ({ type }) as FeedSample
const of = (more: Partial<FeedItem>) => contentText({ kind: 'asset', count: 1, photos: 0, videos: 0, samples: [], ...more } as FeedItem)

test.each([
  [{ count: 42, photos: 42 }, '42 photos'],
  [{ count: 1, photos: 1 }, 'a photo'],
  [{ count: 1_234, videos: 1_234 }, '1,234 videos'],
  [{ count: 3, photos: 2, videos: 1 }, '3 photos and videos'],
  [{ count: 1 }, 'a file'],
  [{ count: 5, photos: 2 }, '5 photos and files'],
  [{ kind: 'post', samples: [post('event')] }, 'an event'],
  [{ kind: 'post', count: 2, samples: [post('note'), post('note')] }, '2 notes'],
  [{ kind: 'post', count: 2, samples: [post('note'), post('event')] }, '2 posts'],
  [{ kind: 'post', count: 9, samples: [post('note')] }, '9 posts'],
] satisfies [Partial<FeedItem>, string][])('%j is called %s', (item, words) => expect(of(item)).toBe(words))

test.each([
  [['Ana'], 'Ana'],
  [['Ana', 'Ben'], 'Ana and Ben'],
  [['Ana', 'Ben', 'Cy'], 'Ana, Ben and Cy'],
  [['Ana', 'Ben', 'Cy', 'Dan', 'Eve'], 'Ana, Ben and 3 others'],
])('%j are joined to one text', (names, words) => expect(namesOf(names)).toBe(words))
