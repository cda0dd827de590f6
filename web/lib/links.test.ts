import { expect, test } from 'vitest'
import { collectionIdOf, collectionLink, viewAt } from './links.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

test('A link to a view contains the collection, and the view reads it back', () => {
  const link = new URL(collectionLink('media', ID), 'http://cairn.test')
  expect(link.pathname).toBe('/collections/media')
  expect(viewAt(link.pathname)?.view).toBe('media')
  expect(collectionIdOf(link.searchParams)).toBe(ID)
})

test('An invalid id in a URL is ignored', () => {
  expect(collectionIdOf(new URLSearchParams('c=../../etc'))).toBeNull()
  expect(collectionIdOf(new URLSearchParams(''))).toBeNull()
  expect(collectionIdOf(new URLSearchParams(`c=${ID.toUpperCase()}`))).toBe(ID)
})

test('Other paths show no view of a collection', () => {
  expect(viewAt('/collections')).toBeNull()
  expect(viewAt('/profile/settings')).toBeNull()
})
