import { expect, test } from 'vitest'
import { extended } from './selected-range.ts'

const order = [...'abcdefgh'].map((id) => ({ id }))

/** Extends a range step by step, like keys or touch, and returns the selection after each step. */
function through(indexes: number[], { selected = [] as string[], anchor = 'c' } = {}) {
  let state: ReturnType<typeof extended> = { selected: new Set(selected), range: { anchor, selected: [] } }
  return indexes.map((index) => {
    state = extended(order, state, index)
    return [...state.selected].toSorted().join('')
  })
}

test('A range grows and shrinks with its moving end', () => {
  expect(through([3, 5, 4, 2])).toEqual(['cd', 'cdef', 'cde', 'c'])
})

test('A range can move to the other side of its anchor', () => {
  expect(through([4, 1], { selected: ['c'] })).toEqual(['cde', 'bc'])
})

test('Items selected before a range stay selected when it shrinks', () => {
  expect(through([6, 3], { selected: ['a', 'c', 'f'] })).toEqual(['acdefg', 'acdf'])
})
