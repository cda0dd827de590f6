import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { edited, targetOf } from './rows.ts'

const hidden = { seen: 'exact', others: 'nothing', hidden: true } as const
const byCollection = { seen: 'exact', others: 'town', hidden: false } as const

test.each([
  ['what everybody sees', null, true, hidden],
  ['what a collection or zone hides', byCollection, true, hidden],
  ['what everybody sees', null, false, null],
  ['what a collection or zone hides', byCollection, false, byCollection],
  ['what was hidden', hidden, false, null],
])('The place of %s, %j, with placeHidden %s', (_, place, placeHidden, after) => {
  const row = { title: 'Sea', place } as Post
  expect(edited(row, { placeHidden }, () => undefined)).toEqual({ title: 'Sea', place: after })
})

test.each([
  // The first of two: only elapsed time counts where no days are moved.
  ['2026-10-25T00:30:00.000Z', { minutes: 15 }, '2026-10-25T00:45:00.000Z'],
  ['2026-03-28T01:30:00.000Z', { days: 1, minutes: 15 }, '2026-03-29T01:45:00.000Z'],
  ['9999-12-31T12:00:00.000Z', { days: 1 }, '9999-12-31T12:00:00.000Z'],
])('A date of %s in Vienna shifted by %j is %s, as on the server', (date, shift, expected) => {
  expect(targetOf({ date, date_zone: 'Europe/Vienna' } as Asset, { shift }).date).toBe(expected)
})
