import { calendarIndexAtom } from '../../atoms/calendar.ts'

export { CalendarView as default } from './calendar-view.tsx'

/** Computed ahead (read-ahead.ts). */
export const reads = [calendarIndexAtom]
