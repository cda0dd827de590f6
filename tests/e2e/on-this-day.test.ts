import { expect } from 'vitest'
import { jpegLike, upload } from '../support/files.ts'
import { test as app } from '../support/fixtures.ts'
import { world } from '../support/world.ts'

/** Ada was in Tokyo on a leap day, and in Vienna on the day before. Bea looks at the timeline on days of other years. */

const test = app
  .extend('kyoto', async () => {
    const kyoto = await world({ bea: 'read' })
    const collectionIds = [kyoto.collection.id]
    const post = (title: string, date: string, dateZone: string) =>
      kyoto.as('ada').post('/api/post', { type: 'note', title, date, dateZone, datePrecision: 'minute', collectionIds })
    await post('Leap day', '2024-02-29T12:00:00+01:00', 'Europe/Vienna')
    await post('Day before', '2024-02-28T12:00:00+01:00', 'Europe/Vienna')
    await post('First of March', '2023-03-01T12:00:00+01:00', 'Europe/Vienna')
    // Still the 28th where Bea is.
    await upload(kyoto.as('ada'), jpegLike(), {
      name: 'plum.jpg',
      date: '2020-02-29T01:00:00+09:00',
      dateZone: 'Asia/Tokyo',
      collectionIds,
    })
    return kyoto
  })
  /** What Bea is reminded of at this moment of her clock. */
  .extend('rememberedOn', ({ kyoto, openPage }) => async (time: string): Promise<string[]> => {
    const { page } = await openPage({ as: kyoto.as('bea'), timezoneId: 'Europe/Vienna' })
    await page.clock.setFixedTime(time)
    await page.goto(`/collections/timeline?c=${kyoto.collection.id}`)
    await page.getByRole('article', { name: 'Leap day' }).waitFor()
    const strip = page.getByRole('region', { name: 'On this day' })
    return strip.getByRole('button').allTextContents()
  })

test.for<[string, string, string[]]>([
  [
    'on the 28th of a year without that day, ahead of the 28th',
    '2026-02-28T09:00:00Z',
    [
      '2 years ago, Thursday, 29 February 2024: Leap day',
      '2 years ago, Wednesday, 28 February 2024: Day before',
      '6 years ago, Saturday, 29 February 2020: 1 photo',
    ],
  ],
  [
    'on itself in a leap year',
    '2028-02-29T09:00:00Z',
    ['4 years ago, Thursday, 29 February 2024: Leap day', '8 years ago, Saturday, 29 February 2020: 1 photo'],
  ],
  ['not on the 28th of a leap year', '2028-02-28T09:00:00Z', ['4 years ago, Wednesday, 28 February 2024: Day before']],
  ['not on 1 March', '2026-03-01T09:00:00Z', ['3 years ago, Wednesday, 1 March 2023: First of March']],
])('Another member is reminded of 29 February %s', async ([, time, expected], { rememberedOn }) => {
  expect(await rememberedOn(time)).toEqual(expected)
})
