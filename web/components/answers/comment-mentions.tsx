import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { t } from '#say'
import type { Person } from '../../../contract/people.ts'
import { circleAtom } from '../../atoms/circle.ts'
import { fetchPeopleAtom } from '../../atoms/threads.ts'
import { mentionedIn } from '../../lib/answers/mentions.ts'
import { mentionIn } from '../../lib/posts/mention.ts'
import { cx } from '../../ui/cx.ts'
import { knownOptions, PersonOptions, useActive } from '../fields/person-options.tsx'

interface Typed {
  collectionId: string
  text: string
  write: (text: string) => void
}

/** Suggests people of the collection while a name is typed after an @ in a plain text field. */
export function useMentions(field: RefObject<HTMLTextAreaElement | null>, { collectionId, text, write }: Typed) {
  const id = useId()
  const people = usePeopleOf(collectionId)
  const chosen = useRef(new Set<string>())
  const [caret, setCaret] = useState<number | null>(null)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const typed = caret === null ? null : mentionIn(text.slice(0, caret))
  const from = typed === null || caret === null ? null : caret - typed.length
  const options = knownOptions(people ?? [], typed ?? '', [])
  const [active, setActive] = useActive(typed ?? '')
  const open = from !== null && from !== dismissed && options.length > 0
  const choose = (index: number) => {
    const option = options[index]
    if (!option || from === null || caret === null) return
    chosen.current.add(option.key)
    const rest = text.slice(caret)
    const end = from + option.name.length + 1
    write(`${text.slice(0, from)}${option.name}${rest.startsWith(' ') ? '' : ' '}${rest}`)
    setCaret(null)
    // Once the field has the new text.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(end, end)
    })
  }
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % options.length)
    else if (event.key === 'ArrowUp') setActive((active + options.length - 1) % options.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(active)
    else if (event.key === 'Escape') setDismissed(from)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const look = () => {
    const { current } = field
    const at = current && current.selectionStart === current.selectionEnd ? current.selectionStart : null
    setCaret(at)
    if (dismissed !== null && (at ?? 0) < dismissed) setDismissed(null)
  }
  return {
    onKeyDown,
    /** Undefined while it is unknown who can be mentioned. */
    mentioned: (words: string) => (people ? mentionedIn(words, people, chosen.current) : undefined),
    field: {
      onSelect: look,
      onBlur: () => setCaret(null),
      'aria-autocomplete': 'list',
      'aria-controls': open ? id : undefined,
      'aria-activedescendant': open ? `${id}-${active}` : undefined,
      ...(open ? { 'data-own-escape': '' } : {}),
    } as const,
    list: { id, open, options, active, onActive: setActive, onChoose: choose },
  }
}

/** People of a collection, which in the feed is not the one opened last; null until they are fetched. */
function usePeopleOf(collectionId: string): readonly Person[] | null {
  const circle = useAtomValue(circleAtom)
  const fetchPeople = useSetAtom(fetchPeopleAtom)
  const [fetched, setFetched] = useState<readonly Person[] | null>(null)
  const known = circle?.collectionId === collectionId
  useEffect(() => {
    if (!known) fetchPeople(collectionId).then(setFetched, () => undefined)
  }, [known, collectionId, fetchPeople])
  return known ? circle.people : fetched
}

type MentionOptionsProps = Parameters<typeof PersonOptions>[0] & { open: boolean; className: string }

export function MentionOptions({ id, open, className, ...rest }: MentionOptionsProps) {
  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={t`People to mention`}
        className={open ? cx('absolute start-0 z-20 w-64 max-w-full rounded-lg border bg-raised py-1 shadow-raised', className) : 'hidden'}
      >
        <PersonOptions id={id} {...rest} />
      </div>
      <p role="status" className="sr-only">
        {open && t`${rest.options.length} to choose from, with the arrow keys`}
      </p>
    </>
  )
}
