import { expect, test } from 'vitest'
import { LIMITS } from '../../../contract/limits.ts'
import type { Post, PostEdit } from '../../../contract/posts.ts'
import { localZone } from '../dates/zones.ts'
import { fieldsOf, mergeOutcome } from '../outbox/merge.ts'
import type { Draft } from './drafts.ts'
import { changesOf, draftOf, endProblem, isDirty, mergeChanges, mergedBase, patchOf, resumed, startingOn, whenOf } from './post-draft.ts'

const HERE = '0190b6c0-0000-7000-8000-0000000000c1'
const post: Post = {
  id: '0190b6c0-0000-7000-8000-000000000001',
  user_id: 'ada',
  user_name: 'Ada',
  type: 'event',
  kind: 'trip',
  title: 'Kyoto',
  body: '<p>Rain</p>',
  date: '2026-05-01T09:30:00+09:00',
  date_zone: 'Asia/Tokyo',
  date_precision: 'minute',
  ends_at: '2026-05-03T18:00:00+09:00',
  location: null,
  assets: [],
  people: ['p1'],
  collections: [{ collection_id: HERE, user_id: 'ada', added_at: '2026-05-01T00:00:00Z' }],
  version: 3,
  created_at: '2026-05-01T00:00:00Z',
  updated_at: '2026-05-01T00:00:00Z',
}
const start = draftOf(post, HERE)

test('A form shows the date in the zone of the post', () => {
  expect(start).toMatchObject({
    exact: 'day',
    day: '2026-05-01',
    time: '09:30',
    zone: 'Asia/Tokyo',
    endDay: '2026-05-03',
    endTime: '18:00',
  })
  const when = whenOf(start)
  expect(Date.parse(when.date ?? '')).toBe(Date.parse(post.date ?? ''))
  expect(Date.parse(when.endsAt ?? '')).toBe(Date.parse(post.ends_at ?? ''))
})

test('A post without a date gets its first one in the zone of this device', () => {
  expect(draftOf({ ...post, date: null, date_zone: null, date_precision: 'unknown', ends_at: null }, HERE).zone).toBe(localZone())
})

test('An unchanged form changes nothing, and a changed field only itself', () => {
  expect(patchOf(start, start, start.pictures)).toEqual({})
  expect(patchOf(start, { ...start, title: ' Kyoto ' }, [])).toEqual({})
  expect(patchOf(start, { ...start, body: '<p>Sun</p>' }, [])).toEqual({ body: '<p>Sun</p>' })
})

test('Dates keep the precision of the form', () => {
  expect(whenOf({ ...start, time: '', endTime: '' })).toMatchObject({ datePrecision: 'day', date: '2026-05-01T12:00:00+09:00' })
  expect(whenOf({ ...start, exact: 'month' })).toMatchObject({ datePrecision: 'month', date: '2026-05-01T12:00:00+09:00', endsAt: null })
  expect(whenOf({ ...start, exact: 'year' })).toMatchObject({ datePrecision: 'year', date: '2026-01-01T12:00:00+09:00', endsAt: null })
  expect(whenOf({ ...start, exact: 'unknown' })).toEqual({ date: null, datePrecision: 'unknown', endsAt: null })
  expect(whenOf({ ...start, day: '' })).toEqual({ date: null, datePrecision: 'unknown', endsAt: null })
})

test('An event with a time and a last day alone lasts to the end of that day, and its form shows it so', () => {
  const draft = { ...start, time: '09:00', endDay: '2026-05-03', endTime: '' }
  const formOf = ({ date = null, endsAt = null }: PostEdit) => draftOf({ ...post, date, ends_at: endsAt }, HERE)
  expect(whenOf(draft).endsAt).toBe('2026-05-04T00:00:00+09:00')
  expect(formOf(whenOf(draft))).toMatchObject({ endDay: '2026-05-03', endTime: '' })
  expect(endProblem({ ...draft, endDay: '2026-04-30' })).toBe('The end must not be before the start')
  expect(whenOf({ ...draft, endDay: '2026-05-01' }).endsAt).toBeNull()
  // Of an evening, midnight is a time.
  const evening = { ...draft, time: '20:00', endDay: '2026-05-02', endTime: '00:00' }
  expect(formOf(whenOf(evening))).toMatchObject(evening)
})

test('A draft that is opened again is another post, and keeps its text', () => {
  const again = resumed(start, undefined, [])
  expect(again).toEqual({ ...start, id: again.id })
  expect(again.id).not.toBe(start.id)
})

test('A draft opened again for a day is dated to that day, and its end moves along', () => {
  expect(resumed(start, '2026-06-10', [])).toMatchObject({ exact: 'day', day: '2026-06-10', time: '09:30', endDay: '2026-06-12' })
  expect(resumed({ ...start, exact: 'unknown', day: '', endDay: '' }, '2026-06-10', [])).toMatchObject({ exact: 'day', day: '2026-06-10' })
})

test('A draft opened again takes the selected photos, each once and as many as a post may have', () => {
  const many = Array.from({ length: LIMITS.assetsPerPost + 5 }, (_, n) => `p${n}`)
  expect(resumed({ ...start, pictures: ['p3'] }, undefined, ['p1', 'p3']).pictures).toEqual(['p3', 'p1'])
  expect(resumed({ ...start, pictures: ['p3'] }, undefined, many).pictures).toHaveLength(LIMITS.assetsPerPost)
})

test('An end before the start is reported, moves with the start, and is removed with the type', () => {
  expect(endProblem({ ...start, endDay: '2026-04-30' })).toBe('The end must not be before the start')
  expect(endProblem({ ...start, endDay: '2026-05-01', endTime: '09:00' })).toBe('The end must not be before the start')
  expect(endProblem(start)).toBeUndefined()
  expect(startingOn(start, '2026-06-10')).toMatchObject({ day: '2026-06-10', endDay: '2026-06-12' })
  expect(patchOf(start, { ...start, type: 'note', kind: 'journal' }, [])).toMatchObject({ type: 'note', kind: 'journal', endsAt: null })
})

test('Changes of another user are merged into the form, and input stays', () => {
  const theirs: Post = { ...post, version: 4, title: 'Kyoto and Nara', body: '<p>Sun</p>' }
  const draft = { ...start, body: '<p>Rain and wind</p>' }
  const own = patchOf(start, draft, [])
  expect(changesOf(post, theirs, own)).toEqual({ theirs: ['title', 'body'], both: ['body'] })
  const form = mergeChanges({ start, draft }, draftOf(theirs, HERE))
  expect(form.draft).toMatchObject({ title: 'Kyoto and Nara', body: '<p>Rain and wind</p>' })
  // The text is still an own change, merged with theirs on saving.
  expect(patchOf(form.start, form.draft, [])).toEqual({ body: '<p>Rain and wind</p>' })
  const base = mergedBase(post, theirs, own)
  expect(base).toEqual({ ...theirs, body: post.body, version: post.version })
  expect(mergeOutcome({ patch: { title: 'Nara' }, before: fieldsOf(base) }, theirs)).toBe('clean')
  expect(mergeOutcome({ patch: own, before: fieldsOf(base) }, theirs)).toBe('conflict')
})

test.each([
  [{ day: '2026-05-02' }, true],
  [{ time: '' }, true],
  [{ zone: 'Europe/Vienna' }, true],
  [{ exact: 'month' }, true],
  [{ endDay: '2026-05-04' }, true],
  [{ endTime: '' }, true],
  [{ pictures: ['x'] }, true],
  [{ title: 'Kyoto ' }, false],
  [{ kind: 'other' }, false],
] as const)('Closing a form with the change %j asks first: %j', (change, asks) => {
  expect(isDirty(start, { ...start, ...change } as Draft)).toBe(asks)
})

test('A changed switch of the place is input, which is sent', () => {
  const shown = draftOf({ ...post, place: { seen: 'exact', others: 'town', hidden: false } }, HERE)
  expect(isDirty(shown, shown)).toBe(false)
  expect(isDirty(shown, { ...shown, placeHidden: true })).toBe(true)
  expect(patchOf(shown, { ...shown, placeHidden: true }, shown.pictures)).toEqual({ placeHidden: true })
})
