import { describe, expect, test } from 'vitest'
import { noneMatch, rangeStillValid } from './conditions.ts'
import { contentRange, parseRange } from './ranges.ts'

describe('ranges', () => {
  test.each([
    ['bytes=0-0', { offset: 0, length: 1 }],
    ['bytes=2-5', { offset: 2, length: 4 }],
    ['bytes=5-', { offset: 5, length: 5 }],
    ['bytes=9-9', { offset: 9, length: 1 }],
    ['bytes=5-999999999999', { offset: 5, length: 5 }],
    ['bytes=-1', { offset: 9, length: 1 }],
    ['bytes=-99', { offset: 0, length: 10 }],
    ['Bytes = 1-2', { offset: 1, length: 2 }],
  ])('Range %s of 10 bytes is one range', (header, range) => {
    expect(parseRange(header, 10)).toEqual(range)
  })

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=999-', 'bytes=-0'])('Range %s of 10 bytes is unsatisfiable', (header) => {
    expect(parseRange(header, 10)).toBe('unsatisfiable')
  })

  test.each([undefined, '', 'bytes=5-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'items=0-1', 'bytes=--1', 'bytes=1.5-2'])(
    'Range %s means the whole file',
    (header) => {
      expect(parseRange(header, 10)).toBeNull()
    },
  )

  test('Content-Range has the range and the size of the file', () => {
    expect(contentRange({ offset: 2, length: 4 }, 10)).toBe('bytes 2-5/10')
  })
})

describe('conditions', () => {
  test('If-None-Match compares weakly and supports lists and *', () => {
    expect(noneMatch('"a"', '"a"')).toBe(true)
    expect(noneMatch('W/"a"', '"a"')).toBe(true)
    expect(noneMatch('"b", "a"', '"a"')).toBe(true)
    expect(noneMatch('*', '"a"')).toBe(true)
    expect(noneMatch('"b"', '"a"')).toBe(false)
    expect(noneMatch(undefined, '"a"')).toBe(false)
  })

  test('If-Range matches only this entity tag', () => {
    expect(rangeStillValid(undefined, '"a"')).toBe(true)
    expect(rangeStillValid('"a"', '"a"')).toBe(true)
    expect(rangeStillValid('"b"', '"a"')).toBe(false)
    expect(rangeStillValid('W/"a"', '"a"')).toBe(false)
    expect(rangeStillValid('Sat, 21 Nov 2026 09:00:00 GMT', '"a"')).toBe(false)
  })
})
