import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { Person } from '../../../contract/people.ts'
import { kindLabel } from '../posts/kind-label.ts'
import type { FilterKey } from './content.ts'

export const SECTIONS: readonly { key: FilterKey; title: Said }[] = [
  { key: 'contentTypes', title: msg({ message: 'Show', context: 'verb', comment: 'Above kinds of items to choose from' }) },
  { key: 'postTypes', title: msg({ message: 'Posts', context: 'noun' }) },
  { key: 'eventTypes', title: msg`Events` },
  { key: 'noteTypes', title: msg`Notes` },
  { key: 'people', title: msg`People` },
]

const PLURALS: Readonly<Record<string, Said>> = {
  post: msg({ message: 'Posts', context: 'noun' }),
  photo: msg`Photos`,
  video: msg`Videos`,
  audio: msg`Recordings`,
  file: msg`Files`,
  event: msg`Events`,
  note: msg`Notes`,
}

export function choiceLabel(key: FilterKey, value: string, people: readonly Person[] | null): string {
  if (key === 'people') return people?.find(({ id }) => id === value)?.name ?? t`Somebody`
  const label = PLURALS[value]
  return label ? say(label) : kindLabel(value)
}

/** Label of a choice outside its list: `other` exists for events and for notes. */
export function chipLabel(key: FilterKey, value: string, people: readonly Person[] | null): string {
  if (value === 'other') return key === 'eventTypes' ? t`Other events` : t`Other notes`
  return choiceLabel(key, value, people)
}
