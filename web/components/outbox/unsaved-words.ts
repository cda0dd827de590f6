import { type Said, say } from '#language'
import { msg, plural, t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import { withFullStop } from '../../../contract/full-stop.ts'
import { type Action, may, mayAnswer } from '../../../contract/policy.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import type { Field, fieldsOf } from '../../lib/outbox/merge.ts'
import { SERVER_FAULTS } from '../../lib/outbox/step.ts'
import { type Operation, reasonOf } from '../../lib/outbox/types.ts'
import { textOfHtml } from '../../lib/plain-text.ts'
import { kindLabel } from '../../lib/posts/kind-label.ts'

/** Why an operation needs a decision by the user. */
export function whyStuck(operation: Operation, collections: readonly Collection[] = []): string {
  const { state, problem } = operation
  if (state === 'conflict') return t`Another person changed it as well. Both versions are kept until you choose.`
  if (problem?.code === 'not_found' && !NAMED.some((field) => field in problem.fields))
    return t`It was deleted or is no longer shared with you. Your text is kept on this device.`
  // A reason that the role no longer gives; it may still be that the item is not their own.
  if (mayRetry(operation, collections, false)) return t`The server could not save it. It is kept on this device.`
  const message = problem ? reasonOf(problem) : ''
  return /[.!?。！？؟]$/.test(message) ? message : withFullStop(message)
}

/** Fields of the people and photos that a change names. */
const NAMED = ['peopleIds', 'add', 'existingAssetIds']

/** Whether the same change may succeed later. `own`: its items are taken for the user's own. */
export function mayRetry(operation: Operation, collections: readonly Collection[] = [], own = true): boolean {
  const code = operation.problem?.code
  if (code === 'forbidden') return permitted(operation, collections, own)
  return code !== undefined && SERVER_FAULTS.includes(code)
}

/** The right that each action needs in every collection it changes. */
const NEEDS: Partial<Record<Operation['action']['kind'], Action>> = {
  create: 'item.add',
  link: 'item.link',
  unlink: 'item.remove',
  trash: 'item.remove',
  editPost: 'item.edit',
  editAsset: 'item.edit',
  date: 'item.edit',
  location: 'item.edit',
  people: 'item.edit',
}

/** Whether the user's present role permits what was refused. */
function permitted(operation: Operation, collections: readonly Collection[], own: boolean): boolean {
  const { kind } = operation.action
  const need = NEEDS[kind]
  const all = collectionsOf(operation).map((id) => collections.find((collection) => collection.id === id))
  if (kind === 'comment' || kind === 'react') return all.every((one) => mayAnswer(one?.role, one?.answers ?? null))
  return need !== undefined && all.length > 0 && all.every((one) => may(one?.role, need, own))
}

/** Ids of the collections that an operation changes. */
function collectionsOf({ action, collectionId }: Operation): string[] {
  if (action.kind === 'create') return action.post.collectionIds ?? []
  if ('collectionIds' in action) return action.collectionIds
  return action.kind === 'unlink' ? [action.collectionId] : [collectionId]
}

const LABELS: Record<Field, Said> = {
  type: msg({ message: 'Type', context: 'noun' }),
  kind: msg({ message: 'Kind', context: 'noun' }),
  title: msg`Title`,
  body: msg`Text`,
  name: msg`Name`,
  alt: msg`Description`,
  date: msg`Date`,
  dateZone: msg`Time zone`,
  datePrecision: msg`Precision`,
  endsAt: msg({ message: 'End', context: 'noun' }),
  location: msg({ message: 'Place', context: 'noun' }),
  placeHidden: msg`Who sees where`,
  peopleIds: msg`People`,
  existingAssetIds: msg`Photos`,
}

export function labelOf(field: Field): string {
  return say(LABELS[field])
}

export function fieldText(field: Field, values: ReturnType<typeof fieldsOf>): string {
  switch (field) {
    case 'date':
      return values.date
        ? formatWhen({ date: values.date, date_zone: values.dateZone ?? null, date_precision: values.datePrecision ?? 'minute' })
        : t`No date`
    case 'endsAt':
      return values.endsAt ? formatWhen({ date: values.endsAt, date_zone: values.dateZone ?? null, date_precision: 'minute' }) : t`No end`
    case 'body':
      return textOfHtml(values.body ?? '') || t`No text`
    case 'location':
      return values.location ? values.location.name || `${values.location.lat.toFixed(4)}, ${values.location.lon.toFixed(4)}` : t`No place`
    case 'placeHidden':
      return values.placeHidden ? t`Only the author and admins` : t`As the collection shows it`
    case 'peopleIds':
      return t`${plural(values.peopleIds?.length ?? 0, { one: '# person', other: '# people' })}`
    case 'existingAssetIds':
      return t`${plural(values.existingAssetIds?.length ?? 0, { one: '# picture', other: '# pictures' })}`
    case 'kind':
    case 'type':
      return kindLabel(values[field] ?? 'other')
    default:
      return values[field] || '–'
  }
}

/** Fields that are compared together: a date, its zone and its precision are one value. */
export function comparable(fields: readonly Field[]): Field[] {
  const shown = fields.filter((field) => field !== 'dateZone' && field !== 'datePrecision')
  return fields.length > shown.length && !shown.includes('date') ? ['date', ...shown] : shown
}
