import { useSetAtom, useStore } from 'jotai'
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { Post } from '../../../contract/posts.ts'
import { dragByStepAtom, draggedPostAtom, dropPostAtom, type Step } from '../../atoms/calendar-drag.ts'
import { readingKey } from '../../lib/reading-direction.ts'

/** In the syntax of `aria-keyshortcuts`. */
export const HOUR_KEYS = 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight'

const STEPS: Record<string, Step> = {
  ArrowUp: { quarters: -1 },
  ArrowDown: { quarters: 1 },
  ArrowLeft: { columns: -1 },
  ArrowRight: { columns: 1 },
}

export interface HourKeys {
  onKeyDown: (event: KeyboardEvent) => void
  onKeyUp: (event: KeyboardEvent) => void
  onBlur: (event: FocusEvent) => void
}

/** With Alt, the arrow keys move a post among the hours until Alt is released; Esc cancels. The focus follows it, also into another column. */
export function useHourKeys(grid: RefObject<HTMLElement | null>, days: readonly string[]): (post: Post) => HourKeys {
  const store = useStore()
  const setDragged = useSetAtom(draggedPostAtom)
  const dragByStep = useSetAtom(dragByStepAtom)
  const drop = useSetAtom(dropPostAtom)
  const follow = useRef<string | null>(null)
  // After every render: in another column it is a different button.
  useEffect(() => {
    if (follow.current === null || document.activeElement !== document.body) return
    grid.current?.querySelector<HTMLElement>(`[data-post="${follow.current}"]`)?.focus()
  })
  const onKeyDown = (event: KeyboardEvent, post: Post) => {
    const step = STEPS[readingKey(event)]
    if ('dragging' in document.documentElement.dataset) return
    if (event.key === 'Escape' && store.get(draggedPostAtom)) setDragged(null)
    else if (step && event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      follow.current = post.id
      dragByStep(post, step, days)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const isDragging = () => store.get(draggedPostAtom)?.by === 'keys'
  return (post) => ({
    onKeyDown: (event) => onKeyDown(event, post),
    onKeyUp: (event) => {
      if (event.key !== 'Alt' || !isDragging()) return
      event.preventDefault()
      void drop()
    },
    // React reports no blur for the button that is removed with its column.
    onBlur: () => {
      follow.current = null
      if (isDragging()) void drop()
    },
  })
}
