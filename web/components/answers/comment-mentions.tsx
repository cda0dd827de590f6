import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { t } from '#say'
import { mentionedIn } from '../../lib/answers/mentions.ts'
import { mentionIn } from '../../lib/posts/mention.ts'
import { cx } from '../../ui/cx.ts'
import { usePeople } from '../fields/people-field.tsx'
import { PersonOptions, useActive, usePersonChoice } from '../fields/person-options.tsx'

/** Suggests people of the collection while a name is typed after an @ in a plain text field. */
export function useMentions(field: RefObject<HTMLTextAreaElement | null>, text: string, write: (text: string) => void) {
  const id = useId()
  const people = usePeople()
  const chosen = useRef(new Set<string>())
  const [caret, setCaret] = useState<number | null>(null)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const typed = caret === null ? null : mentionIn(text.slice(0, caret))
  const from = typed === null || caret === null ? null : caret - typed.length
  const options = usePersonChoice(typed ?? '', []).options.filter(({ isNew }) => !isNew)
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
    mentioned: (words: string) => mentionedIn(words, people, chosen.current),
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
