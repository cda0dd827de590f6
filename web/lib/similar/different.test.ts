import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { differentSets, writeDifferentSets } from './different.ts'

let local: Map<string, string>

beforeEach(() => {
  local = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => local.set(key, value),
    removeItem: (key: string) => local.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const sets = (count: number, size: number) => Array.from({ length: count }, () => Array.from({ length: size }, () => newId()))

test('Thousands of pairs are remembered', () => {
  const pairs = sets(5_000, 2)
  writeDifferentSets(pairs)
  expect(differentSets()).toEqual(pairs)
})

test('Large sets leave room for what else the site stores: the oldest ones are forgotten', () => {
  const large = sets(30, 1_000)
  writeDifferentSets(large)
  expect([...local.values()].join('').length).toBeLessThanOrEqual(500_000)
  expect(differentSets().length).toBeGreaterThan(5)
  expect(differentSets()).toEqual(large.slice(-differentSets().length))
})

test('Nothing is stored without a set', () => {
  writeDifferentSets(sets(1, 2))
  writeDifferentSets([])
  expect(local.size).toBe(0)
})
