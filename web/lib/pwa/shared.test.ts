import { expect, test } from 'vitest'
import { wordsOf } from './shared.ts'

test('Repeated shared text is taken once, and the title is not repeated as a line', () => {
  expect(wordsOf({ title: 'Kyoto', text: 'Kyoto\nhttps://example.org/a', url: 'https://example.org/a' })).toEqual({
    title: 'Kyoto',
    lines: ['https://example.org/a'],
  })
  expect(wordsOf({ title: '', text: ' One \n\n Two ', url: '' })).toEqual({ title: '', lines: ['One', 'Two'] })
})
