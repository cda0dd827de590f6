import { useSetAtom } from 'jotai'
import {
  createContext,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react'
import { t } from '#say'
import type { Post } from '../../../contract/posts.ts'
import { draggedPostAtom, dropPostAtom } from '../../atoms/calendar-drag.ts'
import type { Item } from '../../lib/calendar/day-index.ts'
import { DAY_MINUTES } from '../../lib/calendar/hours.ts'
import { draggedTime, type Slot, slotOf } from '../../lib/calendar/move.ts'
import { nameOfItems } from '../../lib/calendar/words.ts'
import { watchDrag } from './watch-drag.ts'

/** A `timed` post is shown among the hours, and takes the hour at which it is dropped there. */
export type Dragged = { items: readonly Item[]; timed?: Post } | { endOf: Post; last: string }

/** `from` is the day under the pointer at the start of the drag, null outside the days. */
type Drop = (dragged: Dragged, day: string, from: string | null) => void

interface Dragging {
  /** Null when the role allows no changes: nothing can be dragged. */
  begin: ((event: ReactPointerEvent, dragged: Dragged) => void) | null
}
const DragContext = createContext<Dragging>({ begin: null })

/** Lets children be dragged with a mouse or a pen onto elements with `data-day`. Touch scrolls instead, and uses the items' menus. */
export function DragDates({ allowed, onDrop, children }: { allowed: boolean; onDrop: Drop; children: ReactNode }) {
  const [label, setLabel] = useState<string | null>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const setDragged = useSetAtom(draggedPostAtom)
  const drop = useSetAtom(dropPostAtom)
  const begin = useCallback(
    (event: ReactPointerEvent, dragged: Dragged) => {
      if (event.button !== 0 || event.pointerType === 'touch') return
      event.stopPropagation()
      const start = dayUnder(event.clientX, event.clientY)
      const grab = 'timed' in dragged && dragged.timed ? grabAt(dragged.timed, start, event.clientY) : null
      let target: HTMLElement | null = null
      let slot: Slot | null = null
      const mark = (next: HTMLElement | null) => {
        if (next === target) return
        if (target) delete target.dataset.drop
        if (next) next.dataset.drop = ''
        target = next
      }
      const onOver = (x: number, y: number) => {
        const under = dayUnder(x, y)
        slot = grab && slotUnder(grab, under, y)
        if (grab) setDragged(slot && { post: grab.post, slot, by: 'pointer' })
        // Among the hours, the post itself is shown at its new position.
        mark(slot ? null : under)
        setLabel(slot ? null : labelOf(dragged))
        if (ghost.current) ghost.current.style.transform = `translate(${x + 12}px, ${y + 12}px)`
      }
      const onEnd = (dropped: boolean) => {
        const day = target?.dataset.day
        mark(null)
        setLabel(null)
        if (dropped && slot) return void drop()
        if (grab) setDragged(null)
        if (dropped && day) onDrop(dragged, day, start?.dataset.day ?? null)
      }
      watchDrag(event, { scroller: grab && scrollerOf(start), onOver, onEnd })
    },
    [onDrop, setDragged, drop],
  )
  const value = useMemo(() => ({ begin: allowed ? begin : null }), [allowed, begin])
  return (
    <DragContext value={value}>
      {children}
      <div
        ref={ghost}
        hidden={label === null}
        aria-hidden="true"
        className="pointer-events-none fixed top-0 left-0 z-60 max-w-56 truncate rounded-md bg-accent px-2.5 py-1 text-sm font-medium text-on-accent shadow-raised"
      >
        {label}
      </div>
    </DragContext>
  )
}

const labelOf = (dragged: Dragged) =>
  'items' in dragged ? nameOfItems(dragged.items) : t`“${{ title: dragged.endOf.title }}” lasts until here`

/** Ignores elements inside a day or across it. */
function dayUnder(x: number, y: number): HTMLElement | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (element instanceof HTMLElement && element.dataset.day !== undefined) return element
  }
  return null
}

/** Handlers that make an element draggable; none when dragging is not allowed. */
export function useDraggable(dragged: Dragged | null) {
  const { begin } = useContext(DragContext)
  return begin && dragged ? { onPointerDown: (event: ReactPointerEvent) => begin(event, dragged), 'data-draggable': '' } : {}
}

/** A timed post that is being dragged: its slot, and the minute of the day at which the pointer grabbed it. */
interface Grab {
  post: Post
  slot: Slot
  grip: number
}

/** Columns of hours name their day as all days do, and also have `data-hours`. */
function grabAt(post: Post, column: HTMLElement | null, y: number): Grab | null {
  const slot = slotOf(post)
  return slot && column?.dataset.hours !== undefined ? { post, slot, grip: minutesUnder(column, y) } : null
}

/** The slot under the pointer; null outside the hours. */
function slotUnder({ post, slot, grip }: Grab, column: HTMLElement | null, y: number): Slot | null {
  const { day, hours } = column?.dataset ?? {}
  if (!column || !day || hours === undefined) return null
  return { day, minutes: draggedTime(post, slot.minutes, minutesUnder(column, y) - grip) }
}

function minutesUnder(column: HTMLElement, y: number): number {
  const { top, height } = column.getBoundingClientRect()
  return ((y - top) / height) * DAY_MINUTES
}

/** The vertical scroll container of a column: the hours or, on a small screen, days and hours together. */
function scrollerOf(column: HTMLElement | null): HTMLElement | null {
  for (let element = column?.parentElement; element; element = element.parentElement) {
    if (element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)) return element
  }
  return null
}
