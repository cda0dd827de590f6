import { type RefObject, useEffect } from 'react'

/** Gives the focus to the beginning of a month or year that was opened, as what opened it is gone; once for each time. */
export function useEntered(entered: RefObject<string | null>): void {
  useEffect(() => {
    const { current } = entered
    if (current === null) return
    const row = document.querySelector<HTMLElement>(`[data-row^="day-${CSS.escape(current)}"]`)
    // It may be drawn a turn later.
    if (!row) return
    entered.current = null
    row.tabIndex = -1
    const target = row.querySelector('button') ?? row
    target.focus({ preventScroll: true })
  })
}
