import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { t } from '#say'
import { imagePath, PRESETS } from '../../../contract/images.ts'
import { asGuest } from '../../lib/guest/link.ts'
import { imageSources } from '../../lib/media.ts'
import { type Mark, markAt, markByKey, markText, yearLabels } from '../../lib/scroll/scrub-marks.ts'
import { cx } from '../../ui/cx.ts'
import { FadingImg } from '../../ui/image.tsx'
import { ScrubHandle } from './scrub-handle.tsx'
import type { Scroller } from './use-scroller.ts'

interface MonthScrubberProps {
  marks: Mark[]
  /** Of the content, in pixels. */
  height: number
  scroller: Scroller | null
}

/** Lower content needs no scrubber. In pixels. */
const MIN_HEIGHT = 1500
/** The line that counts as the top of the screen is a little below its edge. In pixels. */
const EDGE = 60

/** Jumps to any month: a track at the right with years in proportion to their content, and a handle for touch on small screens. */
export function MonthScrubber({ marks, height, scroller }: MonthScrubberProps) {
  const current = useCurrent(marks, height, scroller)
  const go = useCallback(
    (share: number) => {
      if (share > 0) scroller?.scrollTo(share * height)
      else if (scroller) scroller.element.scrollTop = 0
    },
    [scroller, height],
  )
  if (marks.length < 2 || height < MIN_HEIGHT || !scroller) return null
  return (
    <>
      <Track marks={marks} current={current} onGo={go} />
      <ScrubHandle marks={marks} current={current} height={height} scroller={scroller} />
    </>
  )
}

function Track({ marks, current, onGo }: { marks: Mark[]; current: number; onGo: (share: number) => void }) {
  const track = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const go = (index: number) => onGo(index <= 0 ? 0 : (marks[index]?.at ?? 0))
  const at = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    return markAt(marks, box ? (event.clientY - box.top) / box.height : 0)
  }
  const here = marks[current]
  const shown = marks[pointed ?? current]
  return (
    <div className="sticky top-4 z-20 -me-11 hidden h-[calc(100dvh-2rem)] w-11 shrink-0 self-start py-3 lg:block">
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={t`Go to month`}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={marks.length - 1}
        aria-valuenow={current}
        aria-valuetext={here ? markText(here) : ''}
        className="group relative h-full cursor-pointer touch-none rounded-md"
        onKeyDown={(event) => {
          const to = markByKey(event.key, current, marks)
          if (to === null) return
          event.preventDefault()
          go(to)
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(at(event))
        }}
        onPointerMove={(event) => {
          setPointed(at(event))
          if (event.currentTarget.hasPointerCapture(event.pointerId)) go(at(event))
        }}
        onPointerLeave={() => setPointed(null)}
      >
        {yearLabels(marks).map(({ year, at: share }) => (
          <span
            key={year}
            className="absolute end-1 mt-1 text-xs tabular-nums text-dimmed group-hover:text-default"
            style={{ top: `${share * 100}%` }}
          >
            {year}
          </span>
        ))}
        {pointed !== null &&
          marks.map(({ month, at: share }) => (
            <span key={month ?? 'none'} className="absolute end-0 h-px w-2 bg-(--border-strong)" style={{ top: `${share * 100}%` }} />
          ))}
        <span
          className={cx('absolute end-0 h-0.5 w-8 rounded-full bg-accent', pointed !== null && 'opacity-40')}
          style={{ top: `${(here?.at ?? 0) * 100}%` }}
        />
        {pointed !== null && shown && (
          <span
            className="pointer-events-none absolute end-1 flex -translate-y-1/2 items-center gap-2.5 rounded-md border bg-raised px-2.5 py-1 text-sm font-medium whitespace-nowrap tabular-nums shadow-raised"
            style={{ top: `${shown.at * 100}%` }}
          >
            <MonthPhoto key={shown.month} mark={shown} />
            {markText(shown)}
          </span>
        )}
      </div>
    </div>
  )
}

/** Milliseconds that a month is pointed at before its photo is loaded: the pointer passes over most of them. */
const REST = 150

/** A photo of a month. The smallest image is enough; without a connection the thumbnail may be on the device. */
function MonthPhoto({ mark: { photo } }: { mark: Mark }) {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), REST)
    return () => clearTimeout(timer)
  }, [])
  if (!photo) return null
  return (
    <span className="-ms-1 block h-12 w-[75px] overflow-hidden rounded-sm bg-muted">
      {rested && (
        <FadingImg sources={[asGuest(imagePath(photo, PRESETS.timeline)), ...imageSources(photo, 'thumb')]} alt="" loading="eager" />
      )}
    </span>
  )
}

/** Index of the month at the top of the screen. */
function useCurrent(marks: readonly Mark[], height: number, scroller: Scroller | null): number {
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    if (!scroller) return
    const look = () => setCurrent(markAt(marks, (scroller.top() + EDGE) / Math.max(1, height)))
    look()
    scroller.target.addEventListener('scroll', look, { passive: true })
    return () => scroller.target.removeEventListener('scroll', look)
  }, [marks, height, scroller])
  return Math.min(current, Math.max(0, marks.length - 1))
}
