import { t } from '#say'
import { useSlowedDown } from '../../components/scroll/use-fast-scroll.ts'
import { vaguePeriod } from '../../lib/content/days.ts'
import { formatDay, formatPeriod, formatSometime } from '../../lib/dates/text.ts'
import { guestLink } from '../../lib/guest/link.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Day, sharedLocationName } from './media-model.ts'

interface DayHeadingProps {
  day: Day
  /** Alone on its line, so that the date can be written out. */
  alone: boolean
  selected: boolean
  selecting: boolean
  /** Roving tabindex: only the day of the active tile. With all of them, Tab would stop at every day. */
  tabbable: boolean
  onSelect: () => void
}

export function DayHeading({ day, alone, selected, selecting, tabbable, onSelect }: DayHeadingProps) {
  const locationName = sharedLocationName(day.items)
  const vague = vaguePeriod(day.day, day.items)
  const slowedDown = useSlowedDown()
  return (
    <div className="group flex h-full items-center text-sm">
      <h2 className="truncate first-letter:uppercase">
        <span className="font-semibold tabular-nums">{vague ? formatSometime(vague) : formatDay(day.day, alone ? 'long' : 'short')}</span>
        {locationName && <span className="text-muted"> · {locationName}</span>}
      </h2>
      {!guestLink && (slowedDown || selecting || selected) && (
        <button
          type="button"
          tabIndex={tabbable ? 0 : -1}
          aria-pressed={selected}
          aria-label={t`Select all of ${{ day: vague ? formatPeriod(vague) : formatDay(day.day) }}`}
          onClick={onSelect}
          className={cx(
            'touch-target -order-1 grid h-6 shrink-0 items-center overflow-hidden rounded-full transition-[width,opacity] duration-(--fast)',
            selected ? 'text-accent' : 'text-(--text-dimmed) hover:text-default',
            selecting || selected
              ? 'w-7'
              : 'w-0 opacity-0 group-hover:w-7 group-hover:opacity-100 focus-visible:w-7 focus-visible:opacity-100',
          )}
        >
          <Icon name="check-circle" size={20} />
        </button>
      )}
    </div>
  )
}
