import { useAtomValue } from 'jotai'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { calendarIndexAtom } from '../../atoms/calendar.ts'
import { contentCompleteAtom, contentErrorAtom } from '../../atoms/content.ts'
import { useOpen } from '../../components/overlays/use-open.ts'
import { loadNewPost } from '../../components/posts/post-dialogs.ts'
import { useAddFiles } from '../../components/uploads/use-add-files.ts'
import { nearestDay } from '../../lib/calendar/day-index.ts'
import { addDays } from '../../lib/calendar/days.ts'
import type { CalendarViewName } from '../../lib/calendar/url-state.ts'
import { today } from '../../lib/dates/moments.ts'
import { formatMonth } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { WEEK_COLUMNS } from './week-row.tsx'

const DAYS = Array.from({ length: 35 }, (_, n) => `day-${n}`)
/** Days that appear to have photos, scattered as in real use. */
const FULL = new Set([2, 5, 6, 11, 12, 13, 18, 20, 26, 27, 32].map((n) => `day-${n}`))

export function CalendarSkeleton() {
  return (
    <div role="status" aria-label={t`Loading the calendar`} className="flex grow flex-col">
      <div className="h-7" />
      <div
        className={`${WEEK_COLUMNS} grow auto-rows-[minmax(5.5rem,1fr)] overflow-hidden rounded-xl border sm:auto-rows-[minmax(7rem,1fr)]`}
      >
        {DAYS.map((key, n) => (
          <div key={key} className={`flex flex-col gap-1 p-1 ${n % 7 > 0 ? 'border-s' : ''} ${n > 6 ? 'border-t' : ''}`}>
            <Skeleton rounded="full" className="size-6 shrink-0" />
            {FULL.has(key) && <Skeleton className="grow" />}
          </div>
        ))}
      </div>
    </div>
  )
}

const NOTHING: Record<CalendarViewName, Said> = {
  month: msg`Nothing in this month.`,
  week: msg`Nothing in this week.`,
  year: msg`Nothing in this year.`,
}

interface HintsProps {
  view: CalendarViewName
  focused: string
  week: string
  onGo: (day: string) => void
}

/** One line above an empty month: how to fill it, or the nearest day with items. */
export function CalendarHints({ view, focused, week, onGo }: HintsProps) {
  const index = useAtomValue(calendarIndexAtom)
  const complete = useAtomValue(contentCompleteAtom)
  const error = useAtomValue(contentErrorAtom)
  const { allowed, choose } = useAddFiles()
  const open = useOpen()
  if (!complete && !error)
    return (
      <Line>
        <Trans>Loading older days…</Trans>
      </Line>
    )
  const counts = index.counts()
  if (counts.size + index.vague.size + index.undated.length === 0) {
    if (!allowed)
      return (
        <Line>
          <Trans>Nothing here yet. Items appear once a member adds them.</Trans>
        </Line>
      )
    return (
      <Line>
        <Trans>Nothing here yet. Photos appear on the day they were taken.</Trans>
        <Button size="sm" icon="upload" onClick={() => void choose()}>
          <Trans>Choose files</Trans>
        </Button>
        <Button size="sm" icon="event" onClick={() => void open(loadNewPost, { type: 'event' as const, day: today() })}>
          <Trans>Write an event</Trans>
        </Button>
      </Line>
    )
  }
  const near = view === 'week' ? null : nearestDay(counts.keys(), focused.slice(0, view === 'month' ? 7 : 4), index.vague.keys())
  const weekIsEmpty = view === 'week' && !Array.from({ length: 7 }, (_, n) => counts.get(addDays(week, n))).some(Boolean)
  if (!near && !weekIsEmpty) return null
  const target = near ?? nearestDay(counts.keys(), week)
  if (!target) return null
  return (
    <Line>
      {say(NOTHING[view])}
      <Button size="sm" variant="ghost" icon={target < focused ? 'arrow-back' : 'arrow-forward'} onClick={() => onGo(target)}>
        {formatMonth(target)}
      </Button>
    </Line>
  )
}

function Line({ children }: { children: React.ReactNode }) {
  return (
    <div role="status" className="flex min-h-10 flex-wrap items-center gap-2 pb-2 text-sm text-muted">
      {children}
    </div>
  )
}
