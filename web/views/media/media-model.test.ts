import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { contentDays } from '../../lib/content/days.ts'
import { newestFirst } from '../../lib/content/order.ts'
import { textOf } from '../../lib/media-text.ts'
import { kindsIn, layoutOf, listLayoutOf, modelOf } from './media-model.ts'

// Only the fields that the grid uses.
const asset = (id: string, date: string | null, type = 'image/webp') =>
  ({ id, date, date_zone: 'Asia/Tokyo', version: 1, type, width: 400, height: 300 }) as unknown as Asset
const contentOf = (...assets: Asset[]) => contentDays([], assets.toSorted(newestFirst))
const content = contentOf(
  asset('a', '2025-05-03T12:00:00Z'),
  asset('b', '2025-05-03T18:00:00Z', 'video/mp4'),
  asset('c', '2025-05-01T12:00:00Z'),
  asset('d', null),
)

test('the list layout of the grid finds assets by id', () => {
  const model = modelOf(content)
  const listLayout = listLayoutOf(model, layoutOf(model, 800, 'days'))
  expect(model.order.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd'])
  for (const [index, { id }] of model.order.entries()) expect(listLayout.indexOf(id)).toBe(index)
  expect(listLayout.indexOf('gone')).toBe(-1)
})

test('the layout of the grid is computed once, and kept until the width of a reopened grid is known', () => {
  const model = modelOf(content)
  const unknown = layoutOf(model, 0, 'days')
  expect([unknown.height, unknown.x.length, unknown.bands]).toEqual([100, 0, []])
  const layout = layoutOf(model, 800, 'days')
  expect(layout.x).toHaveLength(4)
  expect([layoutOf(model, 0, 'days'), layoutOf(model, 800, 'days')]).toEqual([layout, layout])
  expect(layoutOf(model, 800, 'days')).toBe(layout)
  expect(layoutOf(model, 400, 'days')).not.toEqual(layout)
})

test('assets of the grid are counted by kind', () => {
  expect(textOf(kindsIn(content.days))).toBe('4 items')
  expect(textOf(kindsIn(contentOf(asset('a', null)).days))).toBe('1 photo')
})
