import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useAddress } from '../../components/use-view-param.ts'
import { addDays, addMonths } from '../../lib/calendar/days.ts'
import { type CalendarViewName, nameFor, type PanelKey, type Position, positionOf } from '../../lib/calendar/url-state.ts'
import { today } from '../../lib/moments.ts'

export interface Moves {
  /** Shows this day, in this view where one is named; done when the address says so, or has gone elsewhere. */
  go: (day: string, view?: CalendarViewName) => Promise<void>
  /** The month, week or year before or after. */
  turn: (by: -1 | 1) => void
  open: (key: PanelKey) => void
  close: () => void
}

/** The address is where the calendar stands: what is shown, at which day, and what the panel shows. */
export function usePosition(): [Position, Moves] {
  const [search] = useSearchParams()
  const change = useAddress()
  const position = useMemo(() => positionOf(search, today()), [search])
  const { view, on, open } = position
  const moves = useMemo((): Moves => {
    const go = (day: string, to = view) => change({ view: to, on: nameFor(to, day) }, to === view ? 'replace' : 'push')
    return {
      go,
      turn: (by) => void go(view === 'week' ? addDays(on, by * 7) : addMonths(on, view === 'month' ? by : by * 12)),
      open: (key) => void change({ day: key }, open === null ? 'push' : 'replace'),
      close: () => void change({ day: null }, 'replace'),
    }
  }, [change, view, on, open])
  return [position, moves]
}
