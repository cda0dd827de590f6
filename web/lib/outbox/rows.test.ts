import { expect, test } from 'vitest'
import type { Post } from '../../../contract/posts.ts'
import { edited } from './rows.ts'

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
