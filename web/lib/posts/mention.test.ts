import { expect, test } from 'vitest'
import { mentionIn } from './mention.ts'

test.each([
  ['@', ''],
  ['Lunch with @gra', 'gra'],
  ['(@Žof', 'Žof'],
  ['“@José M', 'José M'],
  ['@Uncle ', 'Uncle '],
  ['@Jean-Luc O’', 'Jean-Luc O’'],
  ['first @ana, then @be', 'be'],
])('%j ends with a mention', (before, name) => {
  expect(mentionIn(before)).toBe(name)
})

test.each(['', 'ana@exam', 'ana@', '@ ana', '@ana went home', '@ana,', '@7', `@${'a'.repeat(101)}`])(
  '%j ends with no mention',
  (before) => {
    expect(mentionIn(before)).toBeNull()
  },
)
