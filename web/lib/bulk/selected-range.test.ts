import { expect, test } from 'vitest'
import { extended } from './selected-range.ts'

const order = [...'abcdefgh'].map((id) => ({ id }))

/** Extends step by step, as keys or a finger do, and gives what is ticked after each. */
function through(indexes: number[], { selected = [] as string[], anchor = 'c' } = {}) {
  let state: ReturnType<typeof extended> = { selected: new Set(selected), range: { anchor, selected: [] } }
  return indexes.map((index) => {
    state = extended(order, state, index)
    return [...state.selected].toSorted().join('')
  })
}

test('a range grows and shrinks with its moving end', () => {
  expect(through([3, 5, 4, 2])).toEqual(['cd', 'cdef', 'cde', 'c'])
})

test('a range may turn over its anchor', () => {
  expect(through([4, 1], { selected: ['c'] })).toEqual(['cde', 'bc'])
})

test('what was ticked before stays when the range draws back from it', () => {
  expect(through([6, 3], { selected: ['a', 'c', 'f'] })).toEqual(['acdefg', 'acdf'])
})
