import type { RefObject } from 'react'
import type { CalendarIndex } from '../../lib/calendar/day-index.ts'

/** Props of the month, week and year views. */
export interface PeriodProps {
  index: CalendarIndex
  /** The day that has, or would have, the focus. */
  focused: string
  today: string
  /** First day of the week, 1 for Monday to 7 for Sunday. */
  first: number
  /** The day that receives the focus once it is rendered. */
  follow: RefObject<string | null>
  /** The content of the panel. */
  open: string | null
  onMove: (day: string) => void
  onOpen: (day: string) => void
  onStep: (by: -1 | 1) => void
}
