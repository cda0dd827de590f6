import { useAtomValue, useSetAtom } from 'jotai'
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { may } from '../../../contract/policy.ts'
import { calendarIndexAtom, moveEndAtom, moveToDayAtom } from '../../atoms/calendar.ts'
import { selectedCollectionAtom } from '../../atoms/collections.ts'
import { contentAtom, contentFailedAtom, postsAtom } from '../../atoms/content.ts'
import { filteringAtom, visibleAssetsAtom } from '../../atoms/filters.ts'
import { tilesAtom } from '../../atoms/tiles.ts'
import { ContentFailure } from '../../components/content/failure.tsx'
import { useContent } from '../../components/content/use-content.ts'
import { FilteredEmpty } from '../../components/filters/filtered-empty.tsx'
import { Lightbox } from '../../components/photos/lightbox.tsx'
import { OpenPost } from '../../components/posts/open-post.tsx'
import { NewMenu } from '../../components/shell/new-menu.tsx'
import { ViewHeader } from '../../components/shell/view-header.tsx'
import { DropZone } from '../../components/uploads/drop-zone.tsx'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import { useOpenItem } from '../../components/use-open-item.ts'
import { useShortcut } from '../../components/use-shortcut.ts'
import { useStepBack } from '../../components/use-step-back.ts'
import { useChangeUrlState } from '../../components/use-view-param.ts'
import { type CalendarIndex, nearestDay } from '../../lib/calendar/day-index.ts'
import { addDays, addMonths, dayAt, numberOf, weekStart } from '../../lib/calendar/days.ts'
import { type CalendarViewName, nameFor, type PanelKey, type Position, positionOf } from '../../lib/calendar/url-state.ts'
import { titleOf } from '../../lib/calendar/words.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { today } from '../../lib/dates/moments.ts'
import { reader } from '../../lib/dates/reader.ts'
import { CalendarHints, CalendarSkeleton } from './calendar-states.tsx'
import { CalendarTools, StepButtons } from './calendar-tools.tsx'
import { DayPanel } from './day-panel.tsx'
import { DragDates, type Dragged } from './drag-dates.tsx'
import { MonthView } from './month-view.tsx'
import type { PeriodProps } from './period-props.ts'
import { useToday } from './use-now.ts'
import { WeekView } from './week-view.tsx'
import { WithoutDayStrip } from './without-day-strip.tsx'
import { YearView } from './year-view.tsx'

export function CalendarView() {
  const retry = useContent()
  const { loading, complete } = useAtomValue(contentAtom)
  const failed = useAtomValue(contentFailedAtom)
  const assets = useAtomValue(visibleAssetsAtom)
  const some = useAtomValue(postsAtom).length + useAtomValue(tilesAtom).length > 0
  useNotifyFirstRender(some || complete)
  const index = useAtomValue(calendarIndexAtom)
  const filtering = useAtomValue(filteringAtom)
  const item = useOpenItem()
  const [openId, setOpenItem] = item
  const first = reader().firstDay
  const today = useToday()
  const follow = useRef<string | null>(null)
  const [{ view, on, open }, { go, open: openPanel, close }] = usePosition(useOpeningDay(index, some || complete))
  const [focused, focus] = useFocusedDay(view, on, first)
  // Along with a move of the focus, screen readers say the day anyway.
  const [stepped, setStepped] = useState(false)
  const onMove = (day: string, byStep = false) => {
    setStepped(byStep)
    focus(day, sharesPeriod(view, focused, day, first) ? undefined : go(day))
  }
  // From the chosen day: the URL may still follow an earlier step.
  const step = (by: -1 | 1) =>
    onMove(view === 'week' ? addDays(focused, by * 7) : addMonths(focused, view === 'month' ? by : by * 12), true)
  const onOpen = useCallback(
    (day: string) => {
      if (sharesPeriod(view, on, day, first)) focus(day)
      openPanel(day)
    },
    [openPanel, focus, view, on, first],
  )
  useShortcut('today', () => {
    follow.current = document.activeElement?.closest('[role=grid]') ? today : null
    if (follow.current) document.querySelector<HTMLElement>(`[data-day="${today}"][tabindex]`)?.focus()
    onMove(today, follow.current === null)
  })
  const week = dayAt(weekStart(numberOf(focused), first))
  const title = titleOf(view, focused, week)
  const common: PeriodProps = { index, focused, today, first, follow, open, onMove, onOpen, onStep: step }
  const nothing = index.days.size + index.vague.size + index.undated.length === 0

  return (
    <Dragging>
      <div className="flex items-stretch">
        <div className="flex min-w-0 grow flex-col lg:min-h-dvh">
          <ViewHeader
            title={title}
            aside={
              <>
                <StepButtons view={view} onStep={step} onToday={() => onMove(today, true)} />
                <CalendarTools view={view} onView={(next) => void go(focused, next)} />
              </>
            }
            actions={<NewMenu />}
          />
          <p role="status" className="sr-only">
            {stepped && title}
          </p>
          <div className="flex grow flex-col px-4 pb-24 lg:px-8 lg:pb-6">
            <ContentFailure onRetry={retry} className="pb-3" />
            {failed ? null : loading ? (
              <CalendarSkeleton />
            ) : nothing && filtering ? (
              <FilteredEmpty />
            ) : (
              <>
                <CalendarHints view={view} focused={focused} week={week} onGo={(day) => onMove(day, true)} />
                <WithoutDayStrip index={index} view={view} focused={focused} open={open} onOpen={openPanel} />
                {view === 'month' && <MonthView {...common} />}
                {view === 'week' && <WeekView {...common} />}
                {view === 'year' && <YearView {...common} onMonth={(month) => void go(`${month}-01`, 'month')} onVague={openPanel} />}
              </>
            )}
          </div>
        </div>
        {open !== null && !loading && !failed && (
          <DayPanel open={open} index={index} covered={openId !== null} onClose={close} onOpenAsset={setOpenItem} />
        )}
      </div>
      <Lightbox openId={openId} assets={assets} onShow={setOpenItem} onClose={() => setOpenItem(null)} />
      <OpenPost item={item} />
      <DropZone />
    </Dragging>
  )
}

/** A drop moves the dragged items by as many days as the pointer moved; items without a day get the target day. */
function Dragging({ children }: { children: React.ReactNode }) {
  const role = useAtomValue(selectedCollectionAtom)?.role
  const move = useSetAtom(moveToDayAtom)
  const moveEnd = useSetAtom(moveEndAtom)
  const onDrop = useCallback(
    (dragged: Dragged, day: string, from: string | null) => {
      if ('endOf' in dragged) return void moveEnd(dragged.endOf, dragged.last, day)
      const [only] = dragged.items
      const begin = from !== null && only ? dayKeyOf(only) : null
      return void move(dragged.items, begin !== null && from !== null ? addDays(begin, numberOf(day) - numberOf(from)) : day)
    },
    [move, moveEnd],
  )
  return (
    <DragDates allowed={may(role, 'item.edit', true)} onDrop={onDrop}>
      {children}
    </DragDates>
  )
}

interface Chosen {
  day: string
  /** Days that the URL may still name before it reaches this one: the previous day, and those passed on the way. */
  way: readonly string[]
  /** The last navigation towards it; null when it has finished. */
  going: Promise<void> | null
}

/**
 * The day that has, or would have, the focus. The URL names only a month, week or year, and follows a moment later. Until then the chosen day counts,
 * whatever the URL names meanwhile.
 */
function useFocusedDay(view: CalendarViewName, on: string, first: number) {
  const [{ day, way, going }, setChosen] = useState<Chosen>({ day: on, way: [], going: null })
  const focus = useCallback(
    (next: string, leads?: Promise<void>) => {
      setChosen((before) => (leads ? { day: next, way: [...before.way, on, next], going: leads } : { ...before, day: next }))
      leads?.finally(() => startTransition(() => setChosen((now) => (now.going === leads ? { ...now, going: null } : now))))
    },
    [on],
  )
  const counts = sharesPeriod(view, on, day, first) || way.some((passed) => sharesPeriod(view, on, passed, first))
  const settled = going === null && (sharesPeriod(view, on, day, first) || !counts)
  useEffect(() => {
    if (settled) setChosen((now) => (now.going === null && now.way.length > 0 ? { ...now, way: [] } : now))
  }, [settled])
  return [counts ? day : on, focus] as const
}

/** Whether the view that contains `on` also contains the other day. */
function sharesPeriod(view: CalendarViewName, on: string, day: string, first: number): boolean {
  if (view === 'week') return weekStart(numberOf(on), first) === weekStart(numberOf(day), first)
  const length = view === 'month' ? 7 : 4
  return on.slice(0, length) === day.slice(0, length)
}

interface Moves {
  /** Shows this day, in the given view if any. Resolves when the URL has changed, or another navigation has replaced this one. */
  go: (day: string, view?: CalendarViewName) => Promise<void>
  open: (key: PanelKey) => void
  close: () => void
}

/** Today; if its month is empty, the nearest day with items. Chosen once, when the content is there, so that the calendar does not move later. */
function useOpeningDay(index: CalendarIndex, known: boolean): string {
  const [day, setDay] = useState<string | null>(null)
  const opening = day ?? today()
  if (day !== null || !known) return opening
  const chosen = nearestDay(index.counts().keys(), opening.slice(0, 7)) ?? opening
  setDay(chosen)
  return chosen
}

/** The state of the calendar in the URL: view, day, and panel. */
function usePosition(opening: string): [Position, Moves] {
  const [search] = useSearchParams()
  const change = useChangeUrlState()
  const position = useMemo(() => positionOf(search, today(), opening), [search, opening])
  const { view, on, open } = position
  const state: unknown = useLocation().state
  const stepBack = useStepBack('day')
  const moves = useMemo((): Moves => {
    const opened = `day-opened ${view} ${on}`
    const go = (day: string, to = view) => change({ view: to, on: nameFor(to, day) }, to === view ? 'replace' : 'push')
    return {
      go,
      open: (key) => void change({ day: key }, open === null ? 'push' : 'replace', opened),
      // Undoes the history entry that opening added, unless another period is shown since.
      close: () => (state === opened ? stepBack() : void change({ day: null }, 'replace')),
    }
  }, [change, view, on, open, state, stepBack])
  return [position, moves]
}
