import { expect, test } from 'vitest'
import { COLLECTION_ICONS, findIcons } from './icons.ts'

const found = (search: string) => findIcons(search).map((icon) => icon.name)

test('an icon is found by its label, by its name and by what it is used for', () => {
  expect(found('Rabbit')).toEqual(['cruelty-free'])
  expect(found('cruelty-free')).toEqual(['cruelty-free'])
  expect(found('wedd')).toEqual(['favorite', 'celebration', 'church'])
  expect(found('photo alb')).toEqual(['photo-album'])
  expect(found('dog')).toEqual(['pets'])
})

test('nothing looked for finds all, and nonsense none', () => {
  expect(found(' ')).toHaveLength(COLLECTION_ICONS.length)
  expect(found('qqq')).toEqual([])
})
