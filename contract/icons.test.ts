import { expect, test } from 'vitest'
import { COLLECTION_ICONS, findIcons } from './icons.ts'

const found = (search: string) => findIcons(search).map((icon) => icon.name)

test('findIcons matches labels, names and keywords', () => {
  expect(found('Rabbit')).toEqual(['cruelty-free'])
  expect(found('cruelty-free')).toEqual(['cruelty-free'])
  expect(found('wedd')).toEqual(['favorite', 'celebration', 'church'])
  expect(found('photo alb')).toEqual(['photo-album'])
  expect(found('dog')).toEqual(['pets'])
})

test('findIcons returns all icons for an empty search and none for an unknown word', () => {
  expect(found(' ')).toHaveLength(COLLECTION_ICONS.length)
  expect(found('qqq')).toEqual([])
})
