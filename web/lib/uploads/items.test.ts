import { expect, test } from 'vitest'
import { newItem } from './items.ts'

test.each([
  ['00001.MTS', '', 'video/mp2t'],
  ['clip.3gp', 'application/octet-stream; x=1', 'application/octet-stream'],
  ['clip.mov', '', 'video/quicktime'],
  ['notes', '', 'application/octet-stream'],
  ['a.mp4', 'video/mp4; codecs="avc1"', 'video/mp4'],
])('%s, which the browser takes for "%s", is sent as %s', (name, type, expected) => {
  expect(newItem('user', 'collection', new File(['a'], name, { type }), 0).type).toBe(expected)
})
