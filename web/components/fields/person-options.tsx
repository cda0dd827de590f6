import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { LIMITS } from '../../../contract/limits.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { peopleAtom } from '../../atoms/filters.ts'
import { addPersonAtom } from '../../atoms/members.ts'
import { fold } from '../../lib/fold.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'

const MOST = 6

export interface PersonChoice {
  /** People whose name fits, and last somebody new where nobody is called so. */
  options: readonly { key: string; name: string; label: string; isNew: boolean }[]
  /** Resolves to their id, once somebody new is known to the server. */
  take: (index: number) => Promise<string>
}

/** Who of the collection fits some letters of a name; nobody of `except`. */
export function usePersonChoice(text: string, except: readonly string[]): PersonChoice {
  const people = useAtomValue(peopleAtom) ?? []
  const collection = useAtomValue(selectedCollectionAtom)
  const addPerson = useSetAtom(addPersonAtom)
  const wanted = fold(text.trim())
  const found = people.filter(({ id, name }) => !except.includes(id) && fold(name).includes(wanted)).slice(0, MOST)
  const isKnown = people.some(({ name }) => fold(name) === wanted)
  const fresh = wanted && !isKnown ? text.trim().slice(0, LIMITS.personName) : ''
  const options = found.map(({ id, name }) => ({ key: id, name, label: name, isNew: false }))
  if (fresh) options.push({ key: 'new', name: fresh, label: `Add “${fresh}”`, isNew: true })
  const take = async (index: number) => found[index]?.id ?? (await addPerson(collection?.id ?? '', fresh)).id
  return { options, take }
}

/** Which option the keys are at; the first one again whenever something else is asked for. */
export function useActive(asked: string | undefined, first = 0): [number, (index: number) => void] {
  const [at, setAt] = useState({ asked, index: first })
  return [at.asked === asked ? at.index : first, (index) => setAt({ asked, index })]
}

interface PersonOptionsProps {
  id: string
  options: PersonChoice['options']
  active: number
  onActive: (index: number) => void
  onChoose: (index: number) => void
}

/** Options of a listbox that is around them; the focus stays where somebody types. */
export function PersonOptions({ id, options, active, onActive, onChoose }: PersonOptionsProps) {
  return options.map(({ key, label, name, isNew }, index) => (
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
      {isNew ? <Icon name="person-add" size={18} /> : <Avatar alt={name} size="2xs" decorative />}
      <span className="truncate">{label}</span>
    </div>
  ))
}
