import { type KeyboardEvent, useId, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { COMMON_EMOJI } from '../../../contract/emoji.ts'
import { emojiIn, emojiName } from '../../lib/answers/emoji.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Input } from '../../ui/input.tsx'
import { Popover } from '../../ui/popover.tsx'

interface ReactionPickerProps {
  /** What the user has chosen already. */
  mine: readonly string[]
  onToggle: (emoji: string, on: boolean) => void
  size?: 'xs' | 'sm'
}

const COLUMNS = 8

/** Adds a reaction: a few common ones, and a field for any other. */
export function ReactionPicker({ mine, onToggle, size = 'sm' }: ReactionPickerProps) {
  const [open, setOpen] = useState(false)
  const choose = (emoji: string) => {
    onToggle(emoji, !mine.includes(emoji))
    setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t`Add a reaction`}
      side="top"
      className="p-2"
      trigger={
        <Button variant="ghost" size={size} round icon="add-reaction" iconOnly>
          <Trans>Add a reaction</Trans>
        </Button>
      }
    >
      <EmojiGrid mine={mine} onChoose={choose} />
      <OtherEmoji onChoose={choose} />
    </Popover>
  )
}

/** Tab reaches one of them, the arrow keys the others. */
function EmojiGrid({ mine, onChoose }: { mine: readonly string[]; onChoose: (emoji: string) => void }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[readingKey(event)]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = by === undefined ? undefined : buttons[at + by]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div role="group" aria-label={t`Common reactions`} onKeyDown={onKeyDown} className="grid grid-cols-8">
      {COMMON_EMOJI.map(([emoji], index) => (
        <button
          key={emoji}
          type="button"
          title={emojiName(emoji)}
          aria-label={emojiName(emoji)}
          aria-pressed={mine.includes(emoji)}
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => onChoose(emoji)}
          className={cx(
            'grid size-9 place-items-center rounded-md text-xl hover:bg-muted pointer-coarse:h-11',
            mine.includes(emoji) && 'bg-accent-soft',
          )}
        >
          <span aria-hidden="true">{emoji}</span>
        </button>
      ))}
    </div>
  )
}

function OtherEmoji({ onChoose }: { onChoose: (emoji: string) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <form
      noValidate
      className="mt-2 grid gap-1 border-t pt-2"
      onSubmit={(event) => {
        event.preventDefault()
        const emoji = emojiIn(text)
        if (emoji) onChoose(emoji)
        else setWrong(true)
      }}
    >
      <div className="flex gap-2">
        <Input
          aria-label={t`Any other emoji`}
          aria-invalid={wrong}
          aria-describedby={wrong ? id : undefined}
          placeholder={t`Any other emoji`}
          autoComplete="off"
          maxLength={40}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setWrong(false)
          }}
        />
        <Button type="submit" size="field">
          <Trans context="verb">React</Trans>
        </Button>
      </div>
      <p id={id} role="alert" className={wrong ? 'text-xs text-danger' : 'hidden'}>
        <Trans>Type or paste one emoji.</Trans>
      </p>
    </form>
  )
}
