import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { peopleAtom } from '../../atoms/filters.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { isTouch } from '../is-touch.ts'
import { NotChosen, useLeft } from '../not-chosen.tsx'
import { usePeople } from '../use-people.ts'
import { UserAvatar } from '../user-avatar.tsx'
import { PersonOptions, useActive, usePersonChoice } from './person-options.tsx'
import { useInView } from './use-in-view.ts'

interface PeopleFieldProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
}

/** People in an item: members and tagged people found by name, or a new person. */
export function PeopleField({ value, onChange }: PeopleFieldProps) {
  const id = useId()
  usePeople()
  const { text, setText, options, active, setActive, choose, failure } = useChoice(value, onChange)
  const { here, left, onFocus, onBlur } = useLeft()
  const input = useRef<HTMLInputElement>(null)
  const unchosen = left ? text.trim() : ''
  const open = here && text.trim() !== '' && options.length > 0
  const list = useInView<HTMLDivElement>(open ? options.length : null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Backspace' && text === '' && value.length > 0) return onChange(value.slice(0, -1))
    if (event.key === 'Enter' && open) choose(active)
    else if (event.key === 'ArrowDown' && open) setActive((active + 1) % options.length)
    else if (event.key === 'ArrowUp' && open) setActive((active + options.length - 1) % options.length)
    else if (event.key === 'Escape' && open) setText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">
        <Trans>People</Trans>
      </legend>
      <PeopleChips
        value={value}
        onRemove={(gone, event) => {
          onChange(value.filter((other) => other !== gone))
          // The button disappears with the person. On a touch screen, moving the focus to the input would open the keyboard.
          if (!isTouch(event)) input.current?.focus()
        }}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only detects that the focus has left */}
      <div className="relative" onFocus={onFocus} onBlur={onBlur}>
        <Input
          ref={input}
          icon="person-add"
          role="combobox"
          aria-label={t`Add a person`}
          aria-expanded={open}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={open ? `${id}-${active}` : undefined}
          autoComplete="off"
          placeholder={t`Type a name`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <NotChosen message={unchosen && t`“${unchosen}” is not added: choose a person from the list.`} />
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={t`People`}
          className={open ? 'absolute inset-x-0 top-full z-20 mt-1 rounded-lg border bg-raised py-1 shadow-raised' : 'hidden'}
        >
          <PersonOptions {...{ id, options, active }} onActive={setActive} onChoose={choose} />
        </div>
      </div>
      <p role="alert" className={failure ? 'text-sm text-danger' : 'hidden'}>
        {failure}
      </p>
    </fieldset>
  )
}

/** The typed text, the people who match it, and choosing one of them. */
function useChoice(value: readonly string[], onChange: (ids: string[]) => void) {
  const [text, type] = useState('')
  const [failure, setFailure] = useState('')
  const { options, take } = usePersonChoice(text, value)
  const [active, setActive] = useActive(text)
  // Another person may be chosen while a new one is being created.
  const latest = useRef(value)
  latest.current = value
  const setText = (next: string) => {
    type(next)
    setFailure('')
  }
  const choose = (index: number) => {
    setText('')
    take(index).then(
      (id) => latest.current.length < LIMITS.peoplePerItem && onChange([...latest.current, id]),
      (error) => {
        type(text)
        setFailure(messageOf(error))
      },
    )
  }
  return { text, setText, options, active, setActive, choose, failure }
}

function PeopleChips({ value, onRemove }: { value: readonly string[]; onRemove: (id: string, event: MouseEvent) => void }) {
  const known = useAtomValue(peopleAtom) ?? []
  const people = value.flatMap((id) => known.find((person) => person.id === id) ?? [])
  if (people.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1.5">
      {people.map(({ id, name, user_id }) => (
        <li key={id} className="flex h-8 max-w-full items-center gap-1.5 rounded-full bg-muted ps-1.5 text-sm pointer-coarse:h-10">
          <UserAvatar userId={user_id} name={name} size="2xs" />
          <span className="truncate" dir="auto">
            {name}
          </span>
          <button
            type="button"
            aria-label={t`Remove ${name}`}
            onClick={(event) => onRemove(id, event)}
            className="grid h-full w-7 place-items-center rounded-full text-muted hover:text-default pointer-coarse:w-10"
          >
            <Icon name="close" size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}
