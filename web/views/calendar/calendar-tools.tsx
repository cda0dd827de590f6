import type { CalendarViewName } from '../../lib/calendar/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'

interface StepButtonsProps {
  view: CalendarViewName
  onStep: (by: -1 | 1) => void
  onToday: () => void
}

/** Previous, today, next. */
export function StepButtons({ view, onStep, onToday }: StepButtonsProps) {
  return (
    <div className="flex items-center gap-1">
      <Button variant="ghost" size="sm" icon="chevron-left" iconOnly onClick={() => onStep(-1)}>
        {`Previous ${view}`}
      </Button>
      <Button size="sm" onClick={onToday}>
        Today
      </Button>
      <Button variant="ghost" size="sm" icon="chevron-right" iconOnly onClick={() => onStep(1)}>
        {`Next ${view}`}
      </Button>
    </div>
  )
}

export function CalendarTools({ view, onView }: { view: CalendarViewName; onView: (view: CalendarViewName) => void }) {
  return (
    <Segments
      label="Calendar view"
      hideLabel
      value={view}
      onChange={onView}
      options={[
        { value: 'month', label: 'Month' },
        { value: 'week', label: 'Week' },
        { value: 'year', label: 'Year' },
      ]}
    />
  )
}
