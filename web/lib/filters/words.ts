import type { Person } from '../../../contract/people.ts'
import type { FilterKey } from './content.ts'

export const SECTIONS: readonly { key: FilterKey; title: string }[] = [
  { key: 'contentTypes', title: 'Show' },
  { key: 'postTypes', title: 'Posts' },
  { key: 'eventTypes', title: 'Events' },
  { key: 'noteTypes', title: 'Notes' },
  { key: 'people', title: 'People' },
]

const PLURALS: Record<string, string> = {
  post: 'Posts',
  photo: 'Photos',
  video: 'Videos',
  audio: 'Recordings',
  file: 'Files',
  event: 'Events',
  note: 'Notes',
}

export function choiceLabel(key: FilterKey, value: string, people: readonly Person[] | null): string {
  if (key === 'people') return people?.find(({ id }) => id === value)?.name ?? 'Somebody'
  return PLURALS[value] ?? value.charAt(0).toUpperCase() + value.slice(1)
}

/** Label of a choice outside its list: `other` exists for events and for notes. */
export function chipLabel(key: FilterKey, value: string, people: readonly Person[] | null): string {
  if (value === 'other') return key === 'eventTypes' ? 'Other events' : 'Other notes'
  return choiceLabel(key, value, people)
}
