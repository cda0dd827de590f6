import { expect, test } from 'vitest'
import { COMMON_EMOJI } from '../../../contract/emoji.ts'
import { emojiIn } from './emoji.ts'

test('Every emoji of the picker is one that the server takes', () => {
  for (const [emoji] of COMMON_EMOJI) expect(emojiIn(emoji)).toBe(emoji)
})

test('Exactly one emoji is taken from what was typed', () => {
  expect(emojiIn(' 👨‍👩‍👧‍👦 ')).toBe('👨‍👩‍👧‍👦')
  expect(emojiIn('🇯🇵')).toBe('🇯🇵')
  expect(emojiIn('❤')).toBe('❤️')
  for (const text of ['', 'a', '👍👍', '1', '<script>', `e${'\u0301'.repeat(5000)}`]) expect(emojiIn(text)).toBeNull()
})
