import { expect, test } from 'vitest'
import { exceptionOf, framesOf, rageDetector, withoutQueries } from './events.ts'

test('Queries and fragments of URLs are removed from events', () => {
  const cleaned = withoutQueries({
    $current_url: 'https://cairn.example/reset-password?token=hush#x',
    $set_once: { $initial_current_url: 'http://127.0.0.1:4747/collections/map?c=1&q=secret', $initial_referrer: '$direct' },
    list: ['https://a.example/?q=1'],
    count: 3,
    nothing: null,
  })
  expect(cleaned).toEqual({
    $current_url: 'https://cairn.example/reset-password',
    $set_once: { $initial_current_url: 'http://127.0.0.1:4747/collections/map', $initial_referrer: '$direct' },
    list: ['https://a.example/'],
    count: 3,
    nothing: null,
  })
})

const clicks = (...given: [number, number, number][]) => {
  const isRage = rageDetector()
  return given.map(([x, y, at]) => isRage({ x, y, at }))
}

test('Three clicks within 30 px and a second each count as one rage click', () => {
  expect(clicks([10, 10, 0], [12, 10, 300], [30, 20, 1200], [30, 20, 1300])).toEqual([false, false, true, false])
})

test('Clicks far apart in position or time are no rage click', () => {
  expect(clicks([0, 0, 0], [30, 0, 100], [60, 0, 200])).toEqual([false, false, false])
  expect(clicks([0, 0, 0], [0, 0, 1000], [0, 0, 2000])).toEqual([false, false, false])
  expect(clicks([0, 0, 0], [0, 0, 500], [40, 0, 600], [40, 0, 700], [40, 0, 800])).toEqual([false, false, false, false, true])
})

test('Stack lines of every browser are parsed', () => {
  expect(
    framesOf('Error: no\n    at show (https://cairn.example/assets/a-1.js:12:34)\n    at https://cairn.example/assets/b.js:5:6'),
  ).toEqual([
    { platform: 'web:javascript', filename: 'https://cairn.example/assets/b.js', function: '?', lineno: 5, colno: 6, in_app: true },
    { platform: 'web:javascript', filename: 'https://cairn.example/assets/a-1.js', function: 'show', lineno: 12, colno: 34, in_app: true },
  ])
  expect(
    framesOf('show@https://cairn.example/a.js:1:2\n@https://cairn.example/b.js:3:4').map((frame) => [frame.function, frame.lineno]),
  ).toEqual([
    ['?', 3],
    ['show', 1],
  ])
})

test('At most the 50 innermost calls of a stack are reported', () => {
  const error = new RangeError('too deep')
  error.stack = `RangeError: too deep\n${Array.from({ length: 80 }, (_, nth) => `    at f${nth} (https://cairn.example/a.js:${nth + 1}:1)`).join('\n')}`
  const frames = framesOf(error.stack)
  expect(frames).toHaveLength(50)
  expect(frames.at(-1)?.function).toBe('f0')
  expect(exceptionOf(error)).toMatchObject({ $exception_list: [{ type: 'RangeError', value: 'too deep' }] })
})
