import { expect, test } from 'vitest'
import { isRegion } from '../../../contract/date-settings.ts'
import { REGIONS } from './regions.ts'

test('Every region to choose from is one that the contract accepts', () => {
  expect(REGIONS.filter((code) => !isRegion(code))).toEqual([])
  expect(new Set(REGIONS).size).toBe(250)
})
