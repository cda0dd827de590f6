import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { sendWhole } from '../support/files.ts'
import { readByServer } from '../support/missing-renditions.ts'
import { behindProfile, shot } from '../support/shots.ts'
import { world } from '../support/world.ts'

// Ada's script sends photos whose dates are not written as EXIF demands. Bea sees when they were taken. The camera's own offset is +01:00.

let hue = 0
/** Another picture each time. */
const picture = () =>
  sharp({ create: { width: 24, height: 16, channels: 3, background: { r: hue++, g: 90, b: 90 } } })
    .jpeg()
    .toBuffer()

async function seenByBea(name: string, bytes: Uint8Array): Promise<Asset> {
  const w = await world({ bea: 'read' })
  const { status, body } = await sendWhole(w.as('ada'), bytes, { asset: { name, collectionIds: [w.collection.id] } })
  expect(status).toBe(201)
  await readByServer(w, body.asset.id)
  return (await w.as('bea').get(`/api/asset/${body.asset.id}`)).body.asset
}

const at = ({ date, date_zone, date_precision }: Asset) => [date && new Date(date).toISOString(), date_zone, date_precision]

test.each([
  ['24 o’clock', '2021:03:04 24:00:00', ['2021-03-04T23:00:00.000Z', '+01:00', 'minute']],
  ['an offset inside', '2021:03:04 05:06:07-03:30', ['2021-03-04T08:36:07.000Z', '-03:30', 'minute']],
  ['UTC inside', '2021:03:04 05:06:07Z', ['2021-03-04T05:06:07.000Z', '+00:00', 'minute']],
  ['a fraction and an offset inside', '2021-03-04T05:06:07.25+09:00', ['2021-03-03T20:06:07.250Z', '+09:00', 'minute']],
  ['blanks around, and slashes', '  2021/3/4 5:06:07  ', ['2021-03-04T04:06:07.000Z', '+01:00', 'minute']],
  ['half a day', '2021:03:04 5:06:07 PM', ['2021-03-04T16:06:07.000Z', '+01:00', 'minute']],
  ['a leap second', '2016:12:31 23:59:60', ['2016-12-31T22:59:59.000Z', '+01:00', 'minute']],
  ['no time', '2021:03:04', ['2021-03-04T11:00:00.000Z', '+01:00', 'day']],
  ['blanks alone', '    :  :     :  :  ', [null, null, 'unknown']],
  ['year 0', '0000:00:00 00:00:00', [null, null, 'unknown']],
  ['year 0 in a real month', '0000:05:03 10:20:30', [null, null, 'unknown']],
  ['30 February', '2021:02:30 10:20:30', [null, null, 'unknown']],
])('A date with %s is read as a careful person would', async (_, date, expected) => {
  expect(at(await seenByBea('lake.jpg', shot(await picture(), { date })))).toEqual(expected)
})

test.each(['    :  :     :  :  ', '0000:00:00 00:00:00'])('A photo with the date %j is dated by its name', async (date) => {
  const asset = await seenByBea('IMG-20190601-WA0001.jpg', shot(await picture(), { date }))
  expect(at(asset)).toEqual(['2019-06-01T12:00:00.000Z', 'UTC', 'day'])
})

test.each([
  ['35', '.350'],
  ['035', '.035'],
  ['9', '.900'],
  ['1234567', '.123'],
  ['  ', '.000'],
  ['-1', '.000'],
])('The digits %j after the second order photos of a burst', async (fraction, expected) => {
  const asset = await seenByBea('lake.jpg', shot(await picture(), { date: '2021:03:04 05:06:07', fraction }))
  expect(at(asset)[0]).toBe(`2021-03-04T04:06:07${expected}Z`)
})

test('Tags behind the parts of a colour profile of 2 MB are read', async () => {
  const photo = behindProfile(shot(await picture(), { date: '2021:03:04 05:06:07' }), 2_000_000)
  expect(at(await seenByBea('lake.jpg', photo))).toEqual(['2021-03-04T04:06:07.000Z', '+01:00', 'minute'])
})
