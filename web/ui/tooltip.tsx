import {
  cloneElement,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { type Side, TooltipBubble } from './tooltip-bubble.tsx'

/** Milliseconds before the first tooltip, and after one for how long the next ones appear at once. */
const DELAY = 700
const AT_ONCE = 300
/** Milliseconds for moving the pointer from the anchor to the tooltip. */
const GRACE = 150

interface TooltipProps {
  /** Without it there is no tooltip. */
  text: ReactNode
  side?: Side
  children: ReactElement
}

interface Handlers {
  'aria-disabled'?: boolean | undefined
  'aria-describedby'?: string | undefined
  onPointerMove?: (event: PointerEvent<Element>) => void
  onPointerLeave?: (event: PointerEvent<Element>) => void
  onPointerDown?: (event: PointerEvent<Element>) => void
  onFocus?: (event: SyntheticEvent<Element>) => void
  onBlur?: (event: SyntheticEvent<Element>) => void
  onClick?: (event: SyntheticEvent<Element>) => void
}

/** Closes the open tooltip: there is only one at a time. */
let closeOpen: (() => void) | null = null
let closedAt = Number.NEGATIVE_INFINITY

/** Describes its child on hover and on keyboard focus. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const id = useId()
  // The child must pass these handlers on to its element.
  const own = children.props as Handlers
  const { anchor, handlers, stay, leave, close } = useTooltip(own, text)
  const shown = text ? anchor : null
  const described = [own['aria-describedby'], shown && id].filter(Boolean).join(' ')
  return (
    <>
      {cloneElement<Handlers>(children as ReactElement<Handlers>, { ...handlers, 'aria-describedby': described || undefined })}
      {shown && <TooltipBubble {...{ id, text, side }} anchor={shown} onClose={close} onPointerEnter={stay} onPointerLeave={leave} />}
    </>
  )
}

function useTooltip(own: Handlers, text: ReactNode) {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const waiting = useRef(false)
  const pressed = useRef(false)
  const [close] = useState(() => () => {
    clearTimeout(timer.current)
    waiting.current = false
    if (closeOpen !== close) return
    closeOpen = null
    closedAt = performance.now()
    setAnchor(null)
  })
  useEffect(() => close, [close])
  const open = (element: Element) => {
    clearTimeout(timer.current)
    if (!text || closeOpen === close) return
    closeOpen?.()
    closeOpen = close
    setAnchor(element)
  }
  const stay = () => clearTimeout(timer.current)
  const leave = () => {
    clearTimeout(timer.current)
    waiting.current = false
    timer.current = setTimeout(close, GRACE)
  }
  const handlers: Handlers = {
    onPointerMove(event) {
      own.onPointerMove?.(event)
      if (event.pointerType === 'touch' || waiting.current) return
      waiting.current = true
      const { currentTarget } = event
      clearTimeout(timer.current)
      if (closeOpen || performance.now() - closedAt < AT_ONCE) open(currentTarget)
      else timer.current = setTimeout(() => open(currentTarget), DELAY)
    },
    onPointerLeave(event) {
      own.onPointerLeave?.(event)
      leave()
    },
    onPointerDown(event) {
      own.onPointerDown?.(event)
      close()
      // Until the pointer leaves: after a press the tooltip is no longer needed.
      waiting.current = true
      pressed.current = true
      addEventListener('pointerup', () => (pressed.current = false), { once: true })
    },
    onFocus(event) {
      own.onFocus?.(event)
      if (!pressed.current) open(event.currentTarget)
    },
    onBlur(event) {
      own.onBlur?.(event)
      close()
    },
    onClick(event) {
      own.onClick?.(event)
      // The text says why nothing happens, and a finger does not hover.
      if (own['aria-disabled']) open(event.currentTarget)
      else close()
    },
  }
  return { anchor, handlers, stay, leave, close }
}
