import { startTransition, useCallback, useEffect, useState } from 'react'
import { numberOf, weekStart } from '../../lib/calendar/days.ts'
import type { CalendarViewName } from '../../lib/calendar/url-state.ts'

interface Chosen {
  day: string
  /** Days of what the address may still name on its way to this one: where it stood, and what was passed on the way. */
  way: readonly string[]
  /** The last navigation that leads there; null when it is through. */
  going: Promise<void> | null
}

/**
 * The day that has, or would have, the focus. The address names a month, a week or a year only, and follows a moment later: until then
 * the day that was moved to counts, whatever the address passes on its way.
 */
export function useFocusedDay(view: CalendarViewName, on: string, first: number) {
  const [{ day, way, going }, setChosen] = useState<Chosen>({ day: on, way: [], going: null })
  const focus = useCallback(
    (next: string, leads?: Promise<void>) => {
      setChosen((before) => (leads ? { day: next, way: [...before.way, on, next], going: leads } : { ...before, day: next }))
      leads?.finally(() => startTransition(() => setChosen((now) => (now.going === leads ? { ...now, going: null } : now))))
    },
    [on],
  )
  const counts = holds(view, on, day, first) || way.some((passed) => holds(view, on, passed, first))
  const settled = going === null && (holds(view, on, day, first) || !counts)
  useEffect(() => {
    if (settled) setChosen((now) => (now.going === null && now.way.length > 0 ? { ...now, way: [] } : now))
  }, [settled])
  return [counts ? day : on, focus] as const
}

/** Whether what the view shows where it stands `on` a day has the other day in it. */
export function holds(view: CalendarViewName, on: string, day: string, first: number): boolean {
  if (view === 'week') return weekStart(numberOf(on), first) === weekStart(numberOf(day), first)
  const length = view === 'month' ? 7 : 4
  return on.slice(0, length) === day.slice(0, length)
}
