export { CalendarView as default } from './calendar-view.tsx'
