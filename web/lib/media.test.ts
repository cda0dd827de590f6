import { expect, test } from 'vitest'
import { downloadUrl, fileUrl, type ImageFields, imageSources, renditionUrl } from './media.ts'

const photo: ImageFields = { id: 'a', type: 'image/jpeg', width: 90, height: 60, renditions: ['thumb'], version: 3, file_version: 3 }
const urlsOf = (asset: ImageFields) => [
  renditionUrl(asset, 'thumb'),
  fileUrl(asset),
  downloadUrl(asset),
  ...imageSources(asset, 'thumb'),
  ...imageSources({ ...asset, width: 4_000, renditions: [] }, 'preview'),
]

test('An edited description changes no URL of a picture', () => {
  expect(urlsOf({ ...photo, version: 4 })).toEqual(urlsOf(photo))
})

test('A new rendition changes all of them', () => {
  const before = urlsOf(photo)
  for (const url of urlsOf({ ...photo, version: 4, file_version: 4 })) expect(before).not.toContain(url)
})

test('A row that was stored before there were versions of files has the version of the asset in its URLs', () => {
  const { file_version, ...row } = photo
  expect(file_version).toBe(3)
  expect(urlsOf(row)).toEqual(urlsOf(photo))
})

test.each<[string, Pick<ImageFields, 'type' | 'duration'>, boolean]>([
  ['A GIF', { type: 'image/gif' }, true],
  ['A WebP with a length', { type: 'image/webp', duration: 2 }, true],
  ['A WebP without a length', { type: 'image/webp' }, false],
  ['A motion photo', { type: 'image/jpeg', duration: 2 }, false],
])('%s shows its original in the viewer only if that moves', (_, fields, moves) => {
  const asset = { ...photo, ...fields, renditions: ['thumb', 'preview'] as ImageFields['renditions'] }
  expect(imageSources(asset, 'preview')[0]).toBe(moves ? fileUrl(asset) : renditionUrl(asset, 'preview'))
  expect(imageSources(asset, 'thumb')[0]).toBe(renditionUrl(asset, 'thumb'))
})
