import { expect, test } from 'vitest'
import { newItem } from './items.ts'
import { createItemsFeed, withMessage } from './items-feed.ts'
import type { UploadItem } from './types.ts'

const item = (name: string): UploadItem => newItem('ada', 'collection', new File(['x'], name), 0, { id: name })

test('A tab gets all files once, and then only those that change, come or go', () => {
  const feed = createItemsFeed()
  const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')]
  const all = feed.next([a, b, c])
  const later = { ...b, sent: 1 }
  const changed = feed.next([a, later, d])
  expect(changed).toEqual({ kind: 'changed', items: [later, d], removed: ['c'] })
  expect(withMessage(withMessage([item('old')], all), changed)).toEqual([a, later, d])
  expect(feed.next([a, later, d])).toEqual({ kind: 'changed', items: [], removed: [] })
  feed.restart()
  expect(feed.next([a, later, d])).toEqual({ kind: 'items', items: [a, later, d] })
})
