import { expect, test } from 'vitest'
import { imageSize, surplus } from './image-rules.ts'

const ID = '0190a8a0-0000-7000-8000-000000000000'
const sizeOf = (path: string) => imageSize(new URL(path, 'https://cairn.example'))

test('only images with a version in their URL are cached, never a file or an API response', () => {
  expect(sizeOf(`/api/asset/${ID}/renditions/thumb?v=1`)).toBe('small')
  expect(sizeOf(`/api/asset/${ID}/renditions/preview?v=1`)).toBe('large')
  expect(sizeOf('/api/users/ada%7C1/avatar?v=0a1b2c3d')).toBe('small')
  expect(sizeOf(`/_image/w_320,f_webp/${ID}?v=3`)).toBe('small')
  expect(sizeOf(`/_image/f_webp,s_96x96/${ID}?v=3`)).toBe('small')
  expect(sizeOf(`/_image/w_1536/${ID}?v=3`)).toBe('large')
  for (const path of [
    `/api/asset/${ID}/renditions/thumb`,
    `/api/asset/${ID}/file?v=1`,
    `/api/asset/${ID}?v=1`,
    `/api/asset?v=1`,
    '/api/feed?v=1',
    '/api/users/ada/avatar',
    '/api/users/profile?v=1',
    `/_image/q_80/${ID}?v=1`,
    `/api/asset/${ID}/renditions/thumb?v=1&link=${ID}`,
    `/_image/w_320,f_webp/${ID}?v=3&link=${ID}`,
  ]) {
    expect(sizeOf(path)).toBeNull()
  }
})

test('a full image cache drops the images viewed longest ago, and no more than necessary', () => {
  const looks = new Map([
    ['a', 9],
    ['c', 4],
  ])
  expect(surplus(['a', 'b', 'c', 'd'], 2, looks)).toEqual(['b', 'd'])
  expect(surplus(['a', 'b', 'c', 'd'], 1, looks)).toEqual(['b', 'd', 'c'])
  expect(surplus(['a', 'b'], 2, looks)).toEqual([])
})
