import { t } from '#say'
import { dayOf } from '../../../contract/dates.ts'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { NewPost, Post, PostEdit } from '../../../contract/posts.ts'
import { addDays } from '../calendar/days.ts'
import { endOf, momentAt, timeAt } from '../dates/moments.ts'
import { localZone } from '../dates/zones.ts'
import { type Field, fieldsOf, namesOf, pick, same } from '../outbox/merge.ts'
import { edited } from '../outbox/rows.ts'
import { Draft } from './drafts.ts'

export type WhenDraft = Pick<Draft, 'type' | 'exact' | 'day' | 'time' | 'zone' | 'endDay' | 'endTime'>

/** A post in its form. `inCollection` is the collection in which the form is open. */
export function draftOf(post: Post, inCollection: string): Draft {
  const { date, date_zone: zone, date_precision: precision } = post
  const end = endOf(post)
  return {
    id: post.id,
    type: post.type,
    kind: post.kind ?? 'other',
    title: post.title,
    body: post.body,
    exact: precision === 'minute' ? 'day' : precision,
    day: dayOf(date, zone) ?? '',
    time: date && precision === 'minute' ? timeAt(date, zone) : '',
    zone: zone ?? (date ? 'UTC' : localZone()),
    endDay: end?.day ?? '',
    endTime: end?.time ?? '',
    location: post.location,
    ...(post.place?.hidden !== undefined && { placeHidden: post.place.hidden }),
    people: post.people,
    pictures: post.assets.map(({ id }) => id),
    collections: post.collections.flatMap(({ collection_id: id }) => (id === inCollection ? [] : [id])),
  }
}

/** Date fields in the format of the API. Only events with a known day have an end. */
export function whenOf(draft: WhenDraft): Required<Pick<PostEdit, 'date' | 'datePrecision' | 'endsAt'>> & Pick<PostEdit, 'dateZone'> {
  const { type, exact, day, time, zone, endDay, endTime } = draft
  if (exact === 'unknown' || !day) return { date: null, datePrecision: 'unknown', endsAt: null }
  if (exact !== 'day') {
    const { date, dateZone } = momentAt(exact === 'year' ? `${day.slice(0, 4)}-01-01` : `${day.slice(0, 7)}-01`, '', zone)
    return { date, dateZone, datePrecision: exact, endsAt: null }
  }
  const begin = momentAt(day, time, zone)
  const last = endDay || (endTime && day)
  if (type !== 'event' || !last || (last === day && !(time && endTime))) return { ...begin, endsAt: null }
  const toMidnight = time && !endTime
  return { ...begin, endsAt: toMidnight ? momentAt(addDays(last, 1), '00:00', zone).date : momentAt(last, time && endTime, zone).date }
}

/** Problem with the end date, shown while it is being chosen. */
export function endProblem(draft: WhenDraft): string | undefined {
  const { date, endsAt } = whenOf(draft)
  return date && endsAt && Date.parse(endsAt) < Date.parse(date) ? t`The end must not be before the start` : undefined
}

/** Changes the first day and moves the end by the same number of days. */
export function startingOn(draft: WhenDraft, day: string): Partial<WhenDraft> {
  if (!draft.endDay || !draft.day || !day) return { day }
  const moved = Date.parse(draft.endDay) + Date.parse(day) - Date.parse(draft.day)
  return { day, endDay: new Date(moved).toISOString().slice(0, 10) }
}

/**
 * A stored draft opened again, on the given day and with the selected photos. Its id is new: another tab may have the same draft open, and would
 * otherwise post the same post.
 */
export function resumed(left: Draft, day: string | undefined, selected: Iterable<string>): Draft {
  const dates = day === undefined ? {} : { exact: 'day' as const, ...startingOn(left, day) }
  const pictures = [...new Set([...left.pictures, ...selected])].slice(0, LIMITS.assetsPerPost)
  return { ...left, ...dates, id: newId(), pictures }
}

/** The fields of a post as entered in the form; `pictures` are the uploaded ones. */
export function fieldsOfDraft(draft: Draft, pictures: readonly string[]): Omit<NewPost, 'collectionIds' | 'id'> {
  const { type, kind, title, body, location, placeHidden, people } = draft
  const hidden = placeHidden === undefined ? {} : { placeHidden }
  return { type, kind, title, body, ...whenOf(draft), location, ...hidden, peopleIds: people, existingAssetIds: [...pictures] }
}

const PARTS: [Field[], (keyof Draft)[]][] = [
  [['type'], ['type']],
  [['kind'], ['kind']],
  [['title'], ['title']],
  [['body'], ['body']],
  [
    ['date', 'dateZone', 'datePrecision', 'endsAt'],
    ['type', 'exact', 'day', 'time', 'zone', 'endDay', 'endTime'],
  ],
  [['location'], ['location']],
  [['placeHidden'], ['placeHidden']],
  [['peopleIds'], ['people']],
  [['existingAssetIds'], ['pictures']],
]

/** Only the fields changed since the form opened, so that other users' changes to the rest survive. */
export function patchOf(start: Draft, draft: Draft, pictures: readonly string[]): PostEdit {
  const whole: PostEdit = fieldsOfDraft(draft, pictures)
  const patch: PostEdit = {}
  for (const [fields, keys] of PARTS) {
    if (!keys.some((key) => differs(start, draft, key))) continue
    for (const field of fields) if (field in whole) Object.assign(patch, { [field]: whole[field as keyof PostEdit] })
  }
  return patch
}

function differs(a: Draft, b: Draft, key: keyof Draft): boolean {
  if (key === 'title') return a.title.trim() !== b.title.trim()
  return JSON.stringify(a[key]) !== JSON.stringify(b[key])
}

const CHEAP: readonly (keyof Draft)[] = ['id', 'type', 'kind']

/** Whether closing would lose input. A type or a kind alone is quickly chosen again. */
export function isDirty(start: Draft, draft: Draft): boolean {
  return Draft.keyof().options.some((key) => !CHEAP.includes(key) && differs(start, draft, key))
}

/** Fields changed by another user while the form was open; `both` are those changed in the form as well. */
export function changesOf(base: Post, theirs: Post, own: PostEdit): { theirs: Field[]; both: Field[] } {
  const was: Partial<Record<Field, unknown>> = fieldsOf(base)
  const now: Partial<Record<Field, unknown>> = fieldsOf(theirs)
  const changed = (Object.keys(now) as Field[]).filter((field) => !same(field, was[field], now[field]))
  return { theirs: changed, both: changed.filter((field) => field in own) }
}

/** Merges another user's changes into the form. Fields changed in the form keep their input. */
export function mergeChanges(form: { start: Draft; draft: Draft }, newer: Draft): { start: Draft; draft: Draft } {
  const next = { start: { ...form.start }, draft: { ...form.draft } }
  for (const [, keys] of PARTS) {
    if (keys.some((key) => differs(form.start, form.draft, key))) continue
    for (const key of keys) {
      Object.assign(next.start, { [key]: newer[key] })
      Object.assign(next.draft, { [key]: newer[key] })
    }
  }
  return next
}

/** The row that a merged form is based on: `theirs`, but `base` in the fields `own` changed in the form, where saving still compares both versions. */
export function mergedBase(base: Post, theirs: Post, own: PostEdit): Post {
  const assets = own.existingAssetIds ? base.assets : theirs.assets
  return edited({ ...theirs, assets, version: base.version }, pick(fieldsOf(base), namesOf(own)), () => undefined)
}
