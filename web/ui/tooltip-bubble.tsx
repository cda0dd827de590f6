import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

export type Side = 'top' | 'right' | 'bottom' | 'left'

/** Pixels between tooltip and anchor, and at least between tooltip and window edges. */
const OFFSET = 6
const PADDING = 8
const OPPOSITE: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

interface TooltipBubbleProps {
  id: string
  text: ReactNode
  side: Side
  anchor: Element
  onClose: () => void
  onPointerEnter: () => void
  onPointerLeave: () => void
}

/** Its text is the description of the anchor, and must not be read a second time as part of the page. */
export function TooltipBubble({ id, text, side, anchor, onClose, ...pointer }: TooltipBubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size depends on the text
  useLayoutEffect(() => {
    if (!bubble.current) return
    const { left, top } = positionBeside(anchor.getBoundingClientRect(), bubble.current.getBoundingClientRect(), side)
    bubble.current.style.translate = `${left}px ${top}px`
  }, [anchor, side, text])
  useEffect(() => {
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    addEventListener('pointerdown', onClose, options)
    addEventListener('keydown', ({ key }) => key === 'Escape' && onClose(), options)
    addEventListener('scroll', ({ target }) => target instanceof Node && target.contains(anchor) && onClose(), options)
    return () => listening.abort()
  }, [anchor, onClose])
  return createPortal(
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      aria-hidden="true"
      {...pointer}
      className="pointer-events-auto fixed top-0 left-0 z-60 w-max max-w-64 animate-fade-in rounded-sm bg-(--text) px-2 py-1 text-xs font-medium text-(--bg) shadow-raised select-none"
    >
      {text}
    </div>,
    document.body,
  )
}

type Box = Pick<DOMRect, 'top' | 'left' | 'width' | 'height'>

/** On the given side of the anchor, or opposite where there is more room, and within the window. */
function positionBeside(anchor: Box, { width, height }: Box, side: Side): { left: number; top: number } {
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const at = (on: Side) => ({
    left:
      on === 'left'
        ? anchor.left - OFFSET - width
        : on === 'right'
          ? anchor.left + anchor.width + OFFSET
          : anchor.left + (anchor.width - width) / 2,
    top:
      on === 'top'
        ? anchor.top - OFFSET - height
        : on === 'bottom'
          ? anchor.top + anchor.height + OFFSET
          : anchor.top + (anchor.height - height) / 2,
  })
  const fits = ({ left, top }: { left: number; top: number }) =>
    side === 'top' || side === 'bottom'
      ? top >= PADDING && top + height <= view.height - PADDING
      : left >= PADDING && left + width <= view.width - PADDING
  const wanted = at(side)
  const other = at(OPPOSITE[side])
  const { left, top } = !fits(wanted) && fits(other) ? other : wanted
  return {
    left: Math.max(PADDING, Math.min(left, view.width - width - PADDING)),
    top: Math.max(PADDING, Math.min(top, view.height - height - PADDING)),
  }
}
