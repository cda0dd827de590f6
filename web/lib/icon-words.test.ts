import { expect, test } from 'vitest'
import { COLLECTION_ICON_NAMES, COLLECTION_ICONS } from '../../contract/icons.ts'
import { findIcons, iconLabel } from './icon-words.ts'

const found = findIcons

test('findIcons matches labels, names and keywords', () => {
  expect(found('Rabbit')).toEqual(['cruelty-free'])
  expect(found('cruelty-free')).toEqual(['cruelty-free'])
  expect(found('wedd')).toEqual(['favorite', 'celebration', 'church'])
  expect(found('photo alb')).toEqual(['photo-album'])
  expect(found('dog')).toEqual(['pets'])
})

test('About 80 icons have a name and label of their own', () => {
  const labels = COLLECTION_ICON_NAMES.map(iconLabel)
  expect(Math.abs(labels.length - 80)).toBeLessThan(10)
  expect(new Set(labels).size).toBe(labels.length)
  expect(new Set(COLLECTION_ICON_NAMES).size).toBe(labels.length)
  const named = ['Default', 'Home', 'Star', 'Favorite', 'Folder', 'Photo Camera', 'Image', 'Trophy', 'Camping']
  expect(labels).toEqual(expect.arrayContaining(named))
})

test('findIcons returns all icons for an empty search and none for an unknown word', () => {
  expect(found(' ')).toHaveLength(COLLECTION_ICONS.length)
  expect(found('qqq')).toEqual([])
})
