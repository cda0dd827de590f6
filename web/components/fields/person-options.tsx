import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import type { Person } from '../../../contract/people.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { peopleAtom } from '../../atoms/filters.ts'
import { addPersonAtom } from '../../atoms/members.ts'
import { fold } from '../../lib/fold.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { UserAvatar } from '../user-avatar.tsx'

const MAX_OPTIONS = 6

export interface PersonChoice {
  /** People whose name matches, and last a new person when the name is not taken. */
  options: readonly { key: string; name: string; userId: string | null; label: string; isNew: boolean }[]
  /** Resolves to the person's id, once the server knows a new one. */
  take: (index: number) => Promise<string>
}

/** People of the collection whose name matches the text, without those in `except`. */
export function usePersonChoice(text: string, except: readonly string[]): PersonChoice {
  const people = useAtomValue(peopleAtom) ?? []
  const collection = useAtomValue(selectedCollectionAtom)
  const addPerson = useSetAtom(addPersonAtom)
  const wanted = fold(text.trim())
  const found = knownOptions(people, text, except)
  const isKnown = people.some(({ name }) => fold(name) === wanted)
  const fresh = wanted && !isKnown ? text.trim().slice(0, LIMITS.personName) : ''
  const options = fresh ? [...found, { key: 'new', name: fresh, userId: null, label: t`Add “${fresh}”`, isNew: true }] : found
  const take = async (index: number) => found[index]?.key ?? (await addPerson(collection?.id ?? '', fresh)).id
  return { options, take }
}

/** The first people whose name contains the text, without those in `except`. */
export function knownOptions(people: readonly Person[], text: string, except: readonly string[]): PersonChoice['options'] {
  const wanted = fold(text.trim())
  const found = people.filter(({ id, name }) => !except.includes(id) && fold(name).includes(wanted)).slice(0, MAX_OPTIONS)
  return found.map(({ id, name, user_id }) => ({ key: id, name, userId: user_id, label: name, isNew: false }))
}

/** Index of the active option; it returns to the first one whenever the query changes. */
export function useActive(query: string | undefined, first = 0): [number, (index: number) => void] {
  const [at, setAt] = useState({ query, index: first })
  return [at.query === query ? at.index : first, (index) => setAt({ query, index })]
}

interface PersonOptionsProps {
  id: string
  options: PersonChoice['options']
  active: number
  onActive: (index: number) => void
  onChoose: (index: number) => void
}

/** Options of a listbox; the focus stays in the text field. */
export function PersonOptions({ id, options, active, onActive, onChoose }: PersonOptionsProps) {
  return options.map(({ key, label, name, userId, isNew }, index) => (
    <div
      key={key}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => onActive(index)}
      onClick={() => onChoose(index)}
      onKeyDown={() => undefined}
      className={cx('flex cursor-pointer items-center gap-2 px-3 py-2 text-sm pointer-coarse:py-3', index === active && 'bg-muted')}
    >
      {isNew ? <Icon name="person-add" size={18} /> : <UserAvatar userId={userId} name={name} size="2xs" />}
      <span className="truncate" dir="auto">
        {label}
      </span>
    </div>
  ))
}
