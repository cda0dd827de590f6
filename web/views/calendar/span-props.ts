import type { RefObject } from 'react'

/** Props of the month, week and year views. */
export interface SpanProps {
  focused: string
  today: string
  /** On which day weeks begin, 1 for Monday to 7 for Sunday. */
  first: number
  /** The day that the focus is to go along to, once it is drawn. */
  follow: RefObject<string | null>
  /** What the panel shows. */
  open: string | null
  onMove: (day: string) => void
  onOpen: (day: string) => void
  onTurn: (by: -1 | 1) => void
}
