import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import type { Post } from '../../../contract/posts.ts'
import { setReader } from '../dates/reader-settings.ts'
import { type DateForm, dateChangeOf } from './date.ts'
import { type Item, planDate, planLink, planLocation, planPeople, planUnlink } from './plan.ts'
import { itemsPhrase, itemsText, previewText, shiftText } from './words.ts'

setReader({ ...NO_DATE_SETTINGS, region: 'GB' })

const photo = (fields: Partial<Asset> = {}): Item =>
  ({
    ...{
      id: 'a',
      user_id: 'ada',
      type: 'image/jpeg',
      date: '2019-05-03T10:00:00+02:00',
      date_zone: 'Europe/Vienna',
      date_precision: 'minute',
    },
    ...{ location: null, people: [], collections: [{ collection_id: 'kyoto' }], version: 1, ...fields },
  }) as unknown as Item
const post = (fields: Partial<Post> = {}): Item => photo({ ...fields, title: 'First snow', ends_at: null } as Partial<Asset>)
const mine = ({ user_id }: Item) => user_id === 'ada'
const of = (count: number, make: () => Item) => Array.from({ length: count }, make)

const form: DateForm = {
  ...{ mode: 'set', exact: 'day', day: '2019-05-04', time: '', month: '5', year: '2019', zone: 'Europe/Vienna' },
  ...{ direction: 'later', days: '', hours: '', minutes: '' },
}
function preview(items: Item[], change: Partial<DateForm>): string {
  const dateChange = dateChangeOf({ ...form, ...change })
  return typeof dateChange === 'string' ? dateChange : previewText(planDate(items, mine, dateChange))
}

test('A date preview counts the items that already match and those the user may not change', () => {
  const there = photo({ date: '2019-05-04T12:00:00+02:00', date_precision: 'day' })
  const items = [...of(24, () => photo({ date_precision: 'day' })), there, there, ...of(3, () => photo({ user_id: 'bob' }))]
  expect(preview(items, {})).toBe('24 items: 3 May 2019 → 4 May 2019, 2 already there; 3 cannot be changed by you – they stay as they are')
  expect(preview([there], {})).toBe('Nothing changes, 1 already there')
  expect(preview([photo(), photo({ date: null, date_precision: 'unknown' })], { exact: 'month' })).toBe(
    '2 items: no date, 3 May 2019, 10:00 → May 2019',
  )
  expect(preview([photo()], { exact: 'unknown' })).toBe('1 item: 3 May 2019, 10:00 → no date')
})

test('A shift by days keeps the time of day and skips items without a date', () => {
  const items = [photo(), photo({ date: '2019-05-05T09:30:00+02:00' }), photo({ date: null, date_precision: 'unknown' })]
  expect(preview(items, { mode: 'shift', days: '1', hours: '2', minutes: '5' })).toBe(
    '2 items: 3 May 2019, 10:00 – 5 May 2019, 09:30 → 4 May 2019, 12:05 – 6 May 2019, 11:35; 1 without a date – it stays so',
  )
  // Over a clock change.
  expect(preview([photo({ date: '2019-03-30T10:00:00+01:00' })], { mode: 'shift', days: '1' })).toBe(
    '1 item: 30 March 2019, 10:00 → 31 March 2019, 10:00',
  )
  expect(preview([photo()], { mode: 'shift', direction: 'earlier', days: '900000' })).toBe(
    'Nothing changes; 1 would leave the calendar – it stays as it is',
  )
})

test.each([
  [{ mode: 'shift' }, 'Say by how much'],
  [{ mode: 'shift', days: '1.5' }, 'Use whole numbers'],
  [{ mode: 'shift', hours: '99999999' }, 'That is further than the calendar reaches'],
  [{ day: '' }, 'Choose a day'],
  [{ exact: 'minute' }, 'Choose a time'],
  [{ exact: 'year', year: '0' }, 'Choose a year between 1 and 9999'],
] satisfies [Partial<DateForm>, string][])('%j is no change: %s', (change, reason) => {
  expect(preview([photo()], change)).toBe(reason)
})

test('Only items that change are sent', () => {
  const there = photo({ id: 'there', location: { lat: 35, lon: 135, name: 'Kyoto' } })
  const plan = planLocation([there, photo(), photo({ id: 'theirs', user_id: 'bob' })], mine, { lat: 35, lon: 135, name: 'Kyoto' })
  expect(plan.change.map(({ id }) => id)).toEqual(['a'])
  expect(previewText(plan)).toBe('1 item: no place → Kyoto, 1 already there; 1 cannot be changed by you – it stays as it is')
  const tagged = photo({ id: 'tagged', people: ['leo'] })
  expect(planPeople([tagged, photo()], mine, ['leo'], []).change.map(({ id }) => id)).toEqual(['a'])
  expect(planPeople([tagged, photo()], mine, [], ['leo']).change.map(({ id }) => id)).toEqual(['tagged'])
})

test('Only own items are added to other collections, and items left in no collection are counted', () => {
  const both = photo({ id: 'both', collections: [{ collection_id: 'kyoto' }, { collection_id: 'family' }] as Asset['collections'] })
  const plan = planLink([both, photo(), photo({ user_id: 'bob' })], mine, ['family'])
  expect(previewText(plan, 'into Family')).toBe('1 item: into Family, 1 already there; 1 cannot be changed by you – it stays as it is')
  expect(planUnlink([both, photo()], mine, 'kyoto')).toMatchObject({ lost: 1, denied: 0 })
})

test('Items are counted by kind', () => {
  expect(itemsText([...of(12, photo), ...of(3, post)])).toBe('12 photos, 3 posts')
  expect(itemsPhrase([photo(), photo({ type: 'video/mp4' }), post()])).toBe('1 photo, 1 video and 1 post')
  expect(itemsText([photo(), photo({ type: 'video/mp4' }), photo({ type: 'audio/mp3' }), post()])).toBe('4 items')
  expect(itemsText(of(1500, photo))).toBe('1,500 photos')
  expect(shiftText({ days: 1, minutes: 125 })).toBe('1 day, 2 hours and 5 minutes later')
  expect(shiftText({ minutes: -30 })).toBe('30 minutes earlier')
})
