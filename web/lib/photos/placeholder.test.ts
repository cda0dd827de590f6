import { expect, test } from 'vitest'
import { colorOf, placeholderOf } from './placeholder.ts'

test('A hash gives a placeholder and a colour', () => {
  expect(placeholderOf('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(/^data:image\/bmp;base64,/)
  expect(colorOf('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(/^rgb\(\d{1,3} \d{1,3} \d{1,3}\)$/)
})

test.each([null, '', 'not base64!'])('%j gives no placeholder and no colour', (hash) => {
  expect(placeholderOf(hash)).toBeUndefined()
  expect(colorOf(hash)).toBeUndefined()
})
