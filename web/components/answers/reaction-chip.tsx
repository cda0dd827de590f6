import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { numberText } from '#language'
import type { Reaction } from '../../../contract/reactions.ts'
import { emojiName } from '../../lib/answers/emoji.ts'
import { whoText } from '../../lib/answers/who.ts'
import { awaitLongPress } from '../../lib/long-press.ts'
import { cx } from '../../ui/cx.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { TooltipBubble } from '../../ui/tooltip-bubble.tsx'

interface ReactionChipProps {
  reaction: Reaction
  /** Id of the user. */
  me: string
  whyNot: string | undefined
  onToggle: () => void
}

/** One emoji and how many chose it. A click adds the user or takes them back; hover, focus and a long press show who they are. */
export function ReactionChip({ reaction, me, whyNot, onToggle }: ReactionChipProps) {
  const { emoji, count, mine } = reaction
  const who = whoText(reaction, me)
  const bubble = useId()
  const { anchor, pressed, close, onPointerDown } = useHeld()
  const chip = (
    <button
      type="button"
      aria-pressed={mine}
      aria-label={`${emojiName(emoji)} ${numberText(count)}`}
      aria-disabled={whyNot ? true : undefined}
      onPointerDown={onPointerDown}
      onContextMenu={(event) => anchor && event.preventDefault()}
      onClick={() => {
        if (pressed.current || whyNot) return
        onToggle()
      }}
      className={cx(
        'flex h-7 items-center gap-1 rounded-full border px-2 text-sm tabular-nums select-none [-webkit-touch-callout:none] transition-colors duration-(--fast) pointer-coarse:h-9 pointer-coarse:px-2.5',
        mine
          ? 'border-accent bg-accent-faint font-medium text-accent'
          : 'bg-page text-muted not-aria-disabled:hover:border-strong not-aria-disabled:hover:text-default',
      )}
    >
      <span aria-hidden="true" className="text-base leading-none">
        {emoji}
      </span>
      {numberText(count)}
    </button>
  )
  return (
    <>
      <Tooltip text={whyNot ? `${who}. ${whyNot}` : who}>{chip}</Tooltip>
      {anchor && (
        <TooltipBubble
          id={bubble}
          text={who}
          side="top"
          anchor={anchor}
          onClose={close}
          onPointerEnter={() => {}}
          onPointerLeave={() => {}}
        />
      )}
    </>
  )
}

/** Milliseconds for which names stay after a long press. */
const SHOWN = 3_000

/** Shows the names under a finger that rests on the chip. `pressed`: the click that follows belongs to that. */
function useHeld() {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const pressed = useRef(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  useEffect(() => {
    if (!anchor) return
    const timer = setTimeout(() => setAnchor(null), SHOWN)
    return () => clearTimeout(timer)
  }, [anchor])
  const onPointerDown = (event: PointerEvent<Element>) => {
    pressed.current = false
    if (event.pointerType !== 'touch') return
    const { currentTarget } = event
    stop.current = awaitLongPress(event, {
      onLongPress() {
        pressed.current = true
        setAnchor(currentTarget)
      },
      onEnded() {},
    })
  }
  return { anchor, pressed, onPointerDown, close: () => setAnchor(null) }
}
