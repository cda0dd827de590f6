import { type KeyboardEvent, useEffect, useRef } from 'react'
import { addDays, addMonths, dayAt, numberOf, weekStart } from '../../lib/calendar/days.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import type { PeriodProps } from './period-props.ts'

type DayKeys = Pick<PeriodProps, 'focused' | 'first' | 'follow' | 'onMove' | 'onOpen'>

/** Arrows, Home, End, Page Up and Page Down (with Shift by a year) move between days; Enter opens one. */
export function useDayKeys({ focused, first, follow, onMove, onOpen }: DayKeys) {
  const grid = useRef<HTMLDivElement>(null)
  const keyed = useRef(false)
  // After every render: the day may be in another month, whose cells exist only now, and the focused cell may have been removed with its month.
  useEffect(() => {
    const lost = keyed.current && document.activeElement === document.body
    // The rendered day may still be the previous one.
    if (follow.current !== focused && !lost) return
    const cell = grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)
    if (!cell) return
    if (follow.current === focused) follow.current = null
    cell.focus()
  })
  const move = (day: string) => {
    follow.current = day
    keyed.current = true
    if (day === focused) grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
    onMove(day)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const day = event.target instanceof HTMLElement ? event.target.dataset.day : undefined
    if (!day || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ' ') onOpen(day)
    else {
      const to = destination(event, day, first)
      if (!to) return
      move(to)
    }
    event.preventDefault()
  }
  return { grid, onKeyDown }
}

function destination(event: KeyboardEvent, day: string, first: number): string | null {
  const { shiftKey } = event
  const week = weekStart(numberOf(day), first)
  switch (readingKey(event)) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return dayAt(week)
    case 'End':
      return dayAt(week + 6)
    case 'PageUp':
      return addMonths(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return addMonths(day, shiftKey ? 12 : 1)
    default:
      return null
  }
}
