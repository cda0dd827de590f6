import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { contentDays } from '../content/days.ts'
import { spread } from './digest.ts'
import { onThisDay } from './on-this-day.ts'

// Only the fields that it reads.
const asset = (id: string, date: string, date_zone = 'UTC') =>
  ({ id, date, date_zone, date_precision: 'minute', version: 1, type: 'image/webp', renditions: ['thumb'] }) as unknown as Asset
const post = (id: string, date: string) =>
  ({ id, date, date_zone: 'UTC', date_precision: 'day', version: 1, title: id, assets: [] }) as unknown as Post

test('Earlier years with content on this local date are found, the latest first', () => {
  const days = contentDays(
    [post('p', '2022-05-03T12:00:00Z'), post('today', '2026-05-03T12:00:00Z'), post('other', '2022-05-04T12:00:00Z')],
    [asset('a', '2022-05-03T15:00:00Z'), asset('tokyo', '2020-05-02T16:00:00Z', 'Asia/Tokyo')],
  ).days
  const found = onThisDay(days, '2026-05-03')
  expect(found.map(({ day, years, posts, assets, cover }) => [day, years, posts.length, assets.length, cover?.id])).toEqual([
    ['2022-05-03', 4, 1, 1, 'a'],
    ['2020-05-03', 6, 0, 1, 'tokyo'],
  ])
})

test('What is known only to a month or a year was not on this day', () => {
  const vague = { ...asset('month', '2020-05-01T12:00:00Z'), date_precision: 'month' } as Asset
  const year = { ...post('year', '2019-01-01T12:00:00Z'), date_precision: 'year' } as Post
  const { days } = contentDays(
    [year],
    [vague, asset('exact', '2020-05-01T10:00:00Z'), { ...vague, id: 'alone', date: '2018-05-01T12:00:00Z' }],
  )
  expect(onThisDay(days, '2026-05-01').map(({ day, assets }) => [day, assets.map(({ id }) => id)])).toEqual([['2020-05-01', ['exact']]])
  expect(onThisDay(days, '2026-01-01')).toEqual([])
})

test('29 February is remembered on the 28th of other years, and on itself in leap years', () => {
  const days = contentDays(
    [post('leap', '2024-02-29T12:00:00Z'), post('before', '2024-02-28T12:00:00Z'), post('after', '2023-03-01T12:00:00Z')],
    [],
  ).days
  const on = (today: string) => onThisDay(days, today).map(({ day, years }) => [day, years])
  expect(on('2026-02-28')).toEqual([
    ['2024-02-29', 2],
    ['2024-02-28', 2],
  ])
  expect(on('2028-02-29')).toEqual([['2024-02-29', 4]])
  expect(on('2028-02-28')).toEqual([['2024-02-28', 4]])
  expect(on('2100-02-28').map(([day]) => day)).toEqual(['2024-02-29', '2024-02-28'])
  expect(on('2026-03-01')).toEqual([['2023-03-01', 3]])
})

test('Covers are spread over the whole list', () => {
  expect(spread([...'abcdefghij'], 4).join('')).toBe('acfh')
  expect(spread([...'abc'], 4).join('')).toBe('abc')
})
