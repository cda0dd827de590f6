import { expect, test } from 'vitest'
import { crossOriginOf } from './image.tsx'

test.each([
  [true, 'anonymous'],
  [false, undefined],
  [undefined, undefined],
  ['', ''],
  ['anonymous', 'anonymous'],
  ['use-credentials', 'use-credentials'],
] as const)('the crossOrigin prop %j becomes the attribute %j', (value, attribute) => {
  expect(crossOriginOf(value)).toBe(attribute)
})
