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
import type { Post } from '../../../contract/posts.ts'
import type { Item } from '../../lib/calendar-index.ts'
import { nameOfItems } from '../../lib/calendar-words.ts'

export type Dragged = { items: readonly Item[] } | { endOf: Post; last: string }

/** `from` is the day under the pointer when it was pressed, null outside of the days. */
type Drop = (dragged: Dragged, day: string, from: string | null) => void

interface Dragging {
  /** Null for those who may change nothing: then nothing can be dragged. */
  begin: ((event: ReactPointerEvent, dragged: Dragged) => void) | null
}
const DragContext = createContext<Dragging>({ begin: null })

/** Pixels before a press becomes a drag. */
const SLACK = 5

/** Things inside can be dragged with a mouse or a pen onto whatever has `data-day`. Fingers have the items' menus, so that they can scroll. */
export function DragDates({ allowed, onDrop, children }: { allowed: boolean; onDrop: Drop; children: ReactNode }) {
  const [label, setLabel] = useState<string | null>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const begin = useCallback(
    (event: ReactPointerEvent, dragged: Dragged) => {
      if (event.button !== 0 || event.pointerType === 'touch') return
      event.stopPropagation()
      const start = { x: event.clientX, y: event.clientY }
      const from = dayUnder(start.x, start.y)?.dataset.day ?? null
      let target: HTMLElement | null = null
      let going = false
      const listening = new AbortController()
      const mark = (next: HTMLElement | null) => {
        if (next === target) return
        if (target) delete target.dataset.drop
        if (next) next.dataset.drop = ''
        target = next
      }
      const end = () => {
        mark(null)
        listening.abort()
        delete document.documentElement.dataset.dragging
        setLabel(null)
      }
      const on = <K extends keyof WindowEventMap>(type: K, hear: (event: WindowEventMap[K]) => void) =>
        addEventListener(type, hear, { signal: listening.signal, capture: true })
      on('pointermove', ({ clientX, clientY }) => {
        if (!going && Math.hypot(clientX - start.x, clientY - start.y) < SLACK) return
        if (!going) {
          going = true
          document.documentElement.dataset.dragging = ''
          setLabel('items' in dragged ? nameOfItems(dragged.items) : `“${dragged.endOf.title}” lasts until here`)
        }
        if (ghost.current) ghost.current.style.transform = `translate(${clientX + 12}px, ${clientY + 12}px)`
        mark(dayUnder(clientX, clientY))
      })
      on('pointerup', () => {
        const day = target?.dataset.day
        if (going) swallowClick()
        end()
        if (going && day) onDrop(dragged, day, from)
      })
      on('pointercancel', end)
      on('keydown', (key) => {
        if (key.key !== 'Escape') return
        key.stopPropagation()
        end()
      })
    },
    [onDrop],
  )
  const value = useMemo(() => ({ begin: allowed ? begin : null }), [allowed, begin])
  return (
    <DragContext value={value}>
      {children}
      {label !== null && (
        <div
          ref={ghost}
          aria-hidden="true"
          className="pointer-events-none fixed top-0 left-0 z-60 max-w-56 truncate rounded-md bg-accent px-2.5 py-1 text-sm font-medium text-on-accent shadow-raised"
        >
          {label}
        </div>
      )}
    </DragContext>
  )
}

/** Past whatever stands in a day or reaches over it. */
function dayUnder(x: number, y: number): HTMLElement | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (element instanceof HTMLElement && element.dataset.day !== undefined) return element
  }
  return null
}

/** Letting go over the thing itself is no click on it. */
function swallowClick() {
  const stop = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}

/** Handlers that let something be dragged; none where nothing may. */
export function useDraggable(dragged: Dragged | null) {
  const { begin } = useContext(DragContext)
  return begin && dragged ? { onPointerDown: (event: ReactPointerEvent) => begin(event, dragged), 'data-draggable': '' } : {}
}
