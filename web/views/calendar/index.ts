import { calendarIndexAtom } from '../../atoms/calendar.ts'

export { CalendarView as default } from './calendar-view.tsx'

/** Made ready ahead (read-ahead.ts). */
export const reads = [calendarIndexAtom]
