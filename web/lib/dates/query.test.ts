import { afterEach, expect, test } from 'vitest'
import { setLanguage } from '#language'
import { daysWithin, parseWhen } from './query.ts'

test.each([
  ['2024', '2024'],
  ['march 2024', '2024-03'],
  ['Mar 2024', '2024-03'],
  ['2024 march', '2024-03'],
  ['15 march 2024', '2024-03-15'],
  ['March 15th, 2024', '2024-03-15'],
  ['2024-03', '2024-03'],
  ['2024-3-5', '2024-03-05'],
  ['3/2024', '2024-03'],
  ['sept', '--09'],
  ['29 feb 2024', '2024-02-29'],
  ['29 feb 2023', null],
  ['2024-13', null],
  ['15', null],
  ['ma', null],
  ['mars attacks', null],
  ['march of the penguins', null],
  ['', null],
])('%j is parsed as %j', (query, when) => {
  expect(parseWhen(query)).toBe(when)
})

afterEach(() => setLanguage('en', {}))

test.each([
  ['de', '15. März 2024', '2024-03-15'],
  ['de', '15.3.2024', '2024-03-15'],
  ['fr', 'août 2024', '2024-08'],
  ['es', '15 de marzo de 2024', '2024-03-15'],
  ['pl', 'marzec 2024', '2024-03'],
  ['pl', '15 marca 2024', '2024-03-15'],
  ['uk', '15 березня 2024', '2024-03-15'],
  ['tr', 'Ağustos', '--08'],
  ['ar', '15 مارس 2024', '2024-03-15'],
  ['ja', '2024年3月15日', '2024-03-15'],
  ['zh-Hans', '3月', '--03'],
  ['ja', '2024年13月', null],
  ['de', 'march 2024', '2024-03'],
])('In %s, %j is parsed as %j', (language, query, when) => {
  setLanguage(language, {})
  expect(parseWhen(query)).toBe(when)
})

test('Days of a period are counted, and the newest is returned', () => {
  const days = ['2024-03-20', '2024-03-02', '2023-03-01', '2022-01-01', null]
  expect(daysWithin('2024-03', days)).toEqual({ count: 2, newest: '2024-03-20' })
  expect(daysWithin('--03', days)).toEqual({ count: 3, newest: '2024-03-20' })
  expect(daysWithin('2021', days)).toEqual({ count: 0, newest: null })
})
