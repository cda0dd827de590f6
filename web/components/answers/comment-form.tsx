import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { countCharacters } from '../../../contract/text.ts'
import { readWords, writeWords } from '../../lib/posts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useAct } from '../overlays/use-act.ts'
import { MentionOptions, useMentions } from './comment-mentions.tsx'
import { useMe } from './use-answers.ts'

interface CommentFormProps {
  collectionId: string
  label: string
  /** Where an unfinished text is kept on this device; null for none. */
  draftOf: string | null
  initial?: string
  action: string
  autoFocus?: boolean
  /** The list of names opens above the field. */
  above?: boolean
  onSend: (text: string, mentions: string[] | undefined) => Promise<unknown>
  /** Missing where it stays open. */
  onClose?: () => void
}

/** Characters before the limit from which on the rest is shown. */
const COUNTED_FROM = 200

/** A field for plain text that grows with it. Ctrl-Enter sends. What is not sent is kept on this device. */
export function CommentForm({
  collectionId,
  label,
  draftOf,
  initial = '',
  action,
  autoFocus = false,
  above = false,
  onSend,
  onClose,
}: CommentFormProps) {
  const { id: me } = useMe()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => (draftOf && readWords(me, draftOf)) || initial)
  const sending = useRef(false)
  const act = useAct()
  const mentions = useMentions(field, { collectionId, text, write })
  const left = LIMITS.comment - countCharacters(text.trim())
  const why = text.trim() === '' ? t`Write something first` : left < 0 ? t`It is too long` : undefined
  function write(next: string) {
    setText(next)
    if (draftOf) writeWords(me, draftOf, next)
  }
  useLayoutEffect(() => {
    const { current } = field
    if (autoFocus && current) current.setSelectionRange(current.value.length, current.value.length)
  }, [autoFocus])
  const send = async () => {
    if (why || sending.current) return
    sending.current = true
    const sent = await act(() => onSend(text.trim(), mentions.mentioned(text)))
    sending.current = false
    // What was typed meanwhile stays.
    if (!sent || (field.current && field.current.value !== text)) return
    write('')
    onClose?.()
  }
  const cancel = () => {
    // The text as it was is no draft; an answer that was begun is one.
    if (initial !== '') write('')
    onClose?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKeyDown(event)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    else if (event.key === 'Escape' && onClose) cancel()
    else return
    event.preventDefault()
  }
  return (
    <form
      noValidate
      {...(onClose ? { 'data-own-escape': '' } : {})}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      className="relative min-w-0 grow"
    >
      <div className="rounded-lg border border-control bg-page focus-within:border-ring focus-within:outline-1 focus-within:outline-ring">
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          aria-label={label}
          aria-invalid={left < 0}
          aria-describedby={`${id}-left`}
          placeholder={label}
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for the field
          autoFocus={autoFocus}
          {...mentions.field}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          className="block max-h-48 min-h-10 w-full resize-none bg-transparent px-3 py-2 text-[0.9375rem] leading-6 outline-none field-sizing-content placeholder:text-dimmed pointer-coarse:text-base"
        />
        {(text !== '' || onClose) && (
          <div className="flex items-center justify-end gap-2 px-1.5 pb-1.5">
            <p id={`${id}-left`} role="status" className={cx('grow px-1.5 text-xs tabular-nums', left < 0 ? 'text-danger' : 'text-muted')}>
              {leftText(left)}
            </p>
            {onClose && (
              <Button variant="ghost" size="sm" onClick={cancel}>
                <Trans>Cancel</Trans>
              </Button>
            )}
            <Button type="submit" variant="primary" size="sm" icon="send" disabledReason={why}>
              {action}
            </Button>
          </div>
        )}
      </div>
      <MentionOptions {...mentions.list} className={above ? 'bottom-full mb-1' : 'top-full mt-1'} />
    </form>
  )
}

function leftText(left: number): string {
  const over = -left
  if (over > 0) return t({ message: `${over} too many`, comment: 'Characters' })
  return left <= COUNTED_FROM ? t({ message: `${left} left`, comment: 'Characters that may still be typed' }) : ''
}
