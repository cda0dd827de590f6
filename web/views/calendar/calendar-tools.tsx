import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import type { CalendarViewName } from '../../lib/calendar/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'

interface StepButtonsProps {
  view: CalendarViewName
  onStep: (by: -1 | 1) => void
  onToday: () => void
}

const STEPS: Record<CalendarViewName, { previous: Said; next: Said }> = {
  month: { previous: msg`Previous month`, next: msg`Next month` },
  week: { previous: msg`Previous week`, next: msg`Next week` },
  year: { previous: msg`Previous year`, next: msg`Next year` },
}

/** Previous, today, next. */
export function StepButtons({ view, onStep, onToday }: StepButtonsProps) {
  return (
    <div className="flex items-center gap-1">
      <Button variant="ghost" size="sm" icon="chevron-left" iconOnly onClick={() => onStep(-1)}>
        {say(STEPS[view].previous)}
      </Button>
      <Button size="sm" onClick={onToday}>
        <Trans>Today</Trans>
      </Button>
      <Button variant="ghost" size="sm" icon="chevron-right" iconOnly onClick={() => onStep(1)}>
        {say(STEPS[view].next)}
      </Button>
    </div>
  )
}

export function CalendarTools({ view, onView }: { view: CalendarViewName; onView: (view: CalendarViewName) => void }) {
  return (
    <Segments
      label={t`Calendar view`}
      hideLabel
      value={view}
      onChange={onView}
      options={[
        { value: 'month', label: t`Month` },
        { value: 'week', label: t`Week` },
        { value: 'year', label: t`Year` },
      ]}
    />
  )
}
