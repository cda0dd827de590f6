import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { assetDraftOf, assetPatchOf } from './asset-draft.ts'

const photo = {
  alt: null,
  date: '2026-05-01T09:30:21+09:00',
  date_zone: 'Asia/Tokyo',
  date_precision: 'minute',
  location: { lat: 35, lon: 135.7 },
  people: [],
} as unknown as Asset
const start = assetDraftOf(photo)

test('An unchanged photo form changes nothing, not even seconds', () => {
  expect(start).toMatchObject({ day: '2026-05-01', time: '09:30', zone: 'Asia/Tokyo', alt: '' })
  expect(assetPatchOf(start, { ...start, alt: '  ' })).toEqual({})
})

test('Each change of a photo form patches its own fields only', () => {
  expect(assetPatchOf(start, { ...start, alt: 'The gate' })).toEqual({ alt: 'The gate' })
  expect(assetPatchOf(start, { ...start, location: null, people: ['p1'] })).toEqual({ location: null, peopleIds: ['p1'] })
  expect(assetPatchOf(start, { ...start, time: '' })).toEqual({
    date: '2026-05-01T12:00:00+09:00',
    dateZone: 'Asia/Tokyo',
    datePrecision: 'day',
  })
  expect(assetPatchOf(start, { ...start, exact: 'unknown' })).toEqual({ date: null, datePrecision: 'unknown' })
})
