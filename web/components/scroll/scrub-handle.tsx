import { useEffect, useRef, useState } from 'react'
import { type Mark, monthText } from '../../lib/scroll/scrub-marks.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Scroller } from './use-scroller.ts'

interface ScrubHandleProps {
  marks: Mark[]
  current: number
  height: number
  scroller: Scroller
}

/** Milliseconds that it stays visible after the last movement. */
const LINGER = 1_500

/**
 * For touch, at the right edge while the page scrolls: dragging it moves through the months, named in a bubble. Only the handle handles touches, so
 * the page beside it scrolls as usual. Other users have the headings and the track.
 */
export function ScrubHandle({ marks, current, height, scroller }: ScrubHandleProps) {
  const track = useRef<HTMLDivElement>(null)
  const [grip, setGrip] = useState<number | null>(null)
  const { share, moving } = useMovement(scroller, height)
  const dragging = grip !== null
  const shown = moving || dragging

  const drag = (y: number, offset: number) => {
    const box = track.current?.getBoundingClientRect()
    if (!box) return
    const to = Math.min(1, Math.max(0, (y - offset - box.top) / box.height))
    const top = to * Math.max(0, height - scroller.viewHeight())
    if (to > 0) scroller.scrollTo(top)
    else scroller.element.scrollTop = 0
  }
  return (
    <div
      ref={track}
      aria-hidden="true"
      className="pointer-events-none fixed top-[calc(4.5rem+env(safe-area-inset-top))] end-0 bottom-[calc(8.5rem+env(safe-area-inset-bottom))] z-20 w-0 lg:hidden"
    >
      <div
        data-scrub-handle=""
        style={{ top: `${share * 100}%` }}
        className={cx(
          'absolute end-0 flex h-11 w-11 touch-none items-center justify-end transition-opacity duration-(--slow) select-none [-webkit-touch-callout:none]',
          shown ? 'pointer-events-auto opacity-100' : 'opacity-0',
        )}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setGrip(event.clientY - event.currentTarget.getBoundingClientRect().top)
        }}
        onPointerMove={(event) => grip !== null && drag(event.clientY, grip)}
        onLostPointerCapture={() => setGrip(null)}
      >
        <span className="grid h-11 w-7 place-items-center rounded-s-full border border-e-0 bg-raised ps-1 text-muted shadow-raised">
          <Icon name="unfold-more" size={18} />
        </span>
        {dragging && (
          <span
            data-scrub-bubble=""
            className="pointer-events-none absolute end-14 rounded-full bg-accent px-4 py-2 font-semibold whitespace-nowrap tabular-nums text-on-accent shadow-raised first-letter:uppercase"
          >
            {monthText(marks[current]?.month ?? null)}
          </span>
        )}
      </div>
    </div>
  )
}

/** Scroll progress from 0 to 1, and whether the page has just scrolled; never near the top, where the handle would cover the content above. */
function useMovement(scroller: Scroller, height: number) {
  const [state, setState] = useState({ share: 0, moving: false })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const way = Math.max(1, height - scroller.viewHeight())
      const share = Math.min(1, Math.max(0, scroller.top() / way))
      setState({ share, moving: share > 0 })
      clearTimeout(timer)
      timer = setTimeout(() => setState((current) => ({ ...current, moving: false })), LINGER)
    }
    scroller.target.addEventListener('scroll', look, { passive: true })
    return () => {
      clearTimeout(timer)
      scroller.target.removeEventListener('scroll', look)
    }
  }, [scroller, height])
  return state
}
