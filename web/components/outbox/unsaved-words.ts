import { formatWhen } from '../../lib/dates/text.ts'
import type { Field, fieldsOf } from '../../lib/outbox/merge.ts'
import type { Action, Operation } from '../../lib/outbox/types.ts'
import { textOfHtml } from '../../lib/plain-text.ts'
import { kindLabel } from '../post-words.ts'

/** Describes the change, to follow the item's name. */
export function actionText(action: Action): string {
  switch (action.kind) {
    case 'create':
      return 'written'
    case 'editPost':
    case 'editAsset':
      return 'changed'
    case 'link':
      return 'added to another collection'
    case 'unlink':
      return 'removed from a collection'
    case 'date':
      return 'moved to another date'
    case 'location':
      return action.location ? 'moved to another place' : 'place removed'
    case 'people':
      return 'people changed'
    case 'trash':
      return 'moved to the trash'
    case 'undo':
      return 'restored'
  }
}

/** Why an operation needs a decision by the user. */
export function whyStuck({ state, problem }: Operation): string {
  if (state === 'conflict') return 'Another person changed it as well. Both versions are kept until you choose.'
  if (problem?.code === 'not_found') return 'It was deleted or is no longer shared with you. Your text is kept on this device.'
  if (problem?.code === 'internal' || problem?.code === 'unreadable') return 'The server could not save it. It is kept on this device.'
  const message = Object.values(problem?.fields ?? {})[0] ?? problem?.message ?? ''
  return /[.!?]$/.test(message) ? message : `${message}.`
}

const LABELS: Record<Field, string> = {
  type: 'Type',
  kind: 'Kind',
  title: 'Title',
  body: 'Text',
  name: 'Name',
  alt: 'Description',
  date: 'Date',
  dateZone: 'Time zone',
  datePrecision: 'Precision',
  endsAt: 'End',
  location: 'Place',
  placeHidden: 'Who sees where',
  peopleIds: 'People',
  existingAssetIds: 'Photos',
}

export function labelOf(field: Field): string {
  return LABELS[field]
}

export function fieldText(field: Field, values: ReturnType<typeof fieldsOf>): string {
  switch (field) {
    case 'date':
      return values.date
        ? formatWhen({ date: values.date, date_zone: values.dateZone ?? null, date_precision: values.datePrecision ?? 'minute' })
        : 'No date'
    case 'endsAt':
      return values.endsAt ? formatWhen({ date: values.endsAt, date_zone: values.dateZone ?? null, date_precision: 'minute' }) : 'No end'
    case 'body':
      return textOfHtml(values.body ?? '') || 'No text'
    case 'location':
      return values.location ? values.location.name || `${values.location.lat.toFixed(4)}, ${values.location.lon.toFixed(4)}` : 'No place'
    case 'placeHidden':
      return values.placeHidden ? 'Only the author and admins' : 'As the collection shows it'
    case 'peopleIds':
      return countOf(values.peopleIds, 'person', 'people')
    case 'existingAssetIds':
      return countOf(values.existingAssetIds, 'picture', 'pictures')
    case 'kind':
    case 'type':
      return kindLabel(values[field] ?? 'other')
    default:
      return values[field] || '–'
  }
}

function countOf(ids: readonly string[] | undefined, one: string, many: string): string {
  const count = ids?.length ?? 0
  return `${count} ${count === 1 ? one : many}`
}

/** Fields that are compared together: a date, its zone and its precision are one value. */
export function comparable(fields: readonly Field[]): Field[] {
  const shown = fields.filter((field) => field !== 'dateZone' && field !== 'datePrecision')
  return fields.length > shown.length && !shown.includes('date') ? ['date', ...shown] : shown
}
