import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { HourColumn } from '../../lib/calendar/hours.ts'
import { minutesNow } from './use-now.ts'

/** Height of an hour in pixels. */
export const HOUR = 48
/** Keeps the label of the first hour uncut. In pixels. */
export const HALF_LINE = 12
/** The hour at the top of the screen, unless there are earlier items. */
const MORNING = 7

interface FirstHour {
  /** Called by the component that renders the scroller: a child's effects run before the ref is set. */
  scroller: RefObject<HTMLElement | null>
  /** Share of its height that shows hours. */
  share: number
  columns: readonly HourColumn[]
  today: string
}

/** Scrolls to the start of the day, but not while the user is moving items there. */
export function useFirstHour({ scroller, share, columns, today }: FirstHour): void {
  const earliest = Math.min(MORNING, ...columns.flatMap(({ blocks }) => blocks.map(({ begin }) => Math.floor(begin / 60))))
  const thisWeek = columns.some(({ day }) => day === today)
  const week = columns[0]?.day
  const touched = useRef<string>(undefined)
  const isTouched = useEffectEvent(() => touched.current === week)
  useLayoutEffect(() => {
    if (!scroller.current || isTouched()) return
    scroller.current.scrollTop = topFor(scroller.current.clientHeight * share, earliest, thisWeek)
  }, [scroller, share, earliest, thisWeek])
  useEffect(() => {
    const listening = new AbortController()
    const touch = () => {
      touched.current = week
    }
    for (const type of ['pointerdown', 'keydown', 'wheel']) {
      scroller.current?.addEventListener(type, touch, { signal: listening.signal, passive: true })
    }
    return () => listening.abort()
  }, [scroller, week])
}

/** The earliest hour at the top; in the current week further down if the current time would be out of sight. */
function topFor(height: number, earliest: number, thisWeek: boolean): number {
  const top = earliest * HOUR - HALF_LINE
  const now = (minutesNow() / 60) * HOUR
  return thisWeek && now > top + height * 0.8 ? now - height * 0.6 : top
}
