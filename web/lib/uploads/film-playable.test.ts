import { expect, test } from 'vitest'
import { isWidelyPlayed, playedIn } from './film-playable.ts'

test.each([
  ['avc1.640028', 'MP4'],
  ['avc1.42E01E', 'QuickTime File Format'],
  ['avc3.4D401F', 'MP4'],
  ['vp8', 'WebM'],
  ['vp09.00.10.08', 'WebM'],
])('Most browsers play %s in %s', (codec, container) => {
  expect(isWidelyPlayed({ codec, container })).toBe(true)
})

test.each([
  ['hvc1.1.6.L93.B0', 'QuickTime File Format'],
  ['hev1.2.4.L120.B0', 'MP4'],
  ['av01.0.04M.08', 'MP4'],
  ['av01.0.04M.08', 'WebM'],
  ['avc1.6E0033', 'MP4'],
  ['avc1.7A0033', 'QuickTime File Format'],
  ['avc1.640028', 'Matroska'],
  ['avc1.640028', 'MPEG Transport Stream'],
  ['vp09.00.10.08', 'MP4'],
  ['vp09.00.10.08', 'Matroska'],
  ['vp09.02.10.10', 'WebM'],
  ['apch', 'QuickTime File Format'],
  ['mp4v', 'MP4'],
  ['jpeg', 'QuickTime File Format'],
  ['MJPG', 'AVI'],
  ['s263', 'MP4'],
])('Few browsers play %s in %s', (codec, container) => {
  expect(isWidelyPlayed({ codec, container })).toBe(false)
})

test('What is in the wrong container is put into another one as it is', () => {
  expect(playedIn('avc1.640028')).toBe('mp4')
  expect(playedIn('vp09.00.10.08')).toBe('webm')
  expect(playedIn('hvc1.1.6.L93.B0')).toBeNull()
})
