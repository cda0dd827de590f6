import { numberText } from '#language'
import { plural, t } from '#say'
import type { CalendarIndex, Item } from '../../lib/calendar/day-index.ts'
import { type CalendarViewName, type PanelKey, UNDATED } from '../../lib/calendar/url-state.ts'
import { panelTitle } from '../../lib/calendar/words.ts'
import { isAsset } from '../../lib/content/is-post.ts'
import { countText } from '../../lib/media-text.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thumb } from './day-mosaic.tsx'

interface WithoutDayStripProps {
  index: CalendarIndex
  view: CalendarViewName
  focused: string
  open: PanelKey | null
  onOpen: (key: PanelKey) => void
}

/** Items without an exact day, above the days: those with a month or year only, and those without a date. */
export function WithoutDayStrip({ index, view, focused, open, onOpen }: WithoutDayStripProps) {
  const [year, month] = [focused.slice(0, 4), focused.slice(0, 7)]
  const lanes: [key: PanelKey, name: string, items: readonly Item[]][] = [
    ...(view === 'year' ? [] : [[month, panelTitle(month), index.vague.get(month) ?? []] satisfies [string, string, Item[]]]),
    [year, panelTitle(year), index.vague.get(year) ?? []],
    [UNDATED, t`${plural(index.undated.length, { one: '# item has no date', other: '# items have no date' })}`, index.undated],
  ]
  const filled = lanes.filter(([, , items]) => items.length > 0)
  if (filled.length === 0) return null
  return (
    <ul
      aria-label={t`Without a day`}
      className="relative flex flex-wrap gap-2 pb-3 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]"
    >
      {filled.map(([key, name, items]) => (
        <li key={key} className="min-w-0 max-sm:shrink-0">
          <button
            type="button"
            aria-expanded={open === key}
            onClick={() => onOpen(key)}
            className={cx(
              'flex h-9 max-w-full items-center gap-2 rounded-full border px-3 text-sm transition-colors duration-(--fast) hover:bg-muted pointer-coarse:h-11',
              open === key && 'border-accent bg-accent-faint',
            )}
          >
            <Preview items={items} undated={key === UNDATED} />
            <span className="truncate" dir="auto">
              {name}
            </span>
            {key !== UNDATED && (
              <span className="text-muted tabular-nums">
                <span aria-hidden="true">{numberText(items.length)}</span>
                <span className="sr-only">{countText(items.length, 'item')}</span>
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Preview({ items, undated }: { items: readonly Item[]; undated: boolean }) {
  const pictures = items.filter(isAsset).slice(0, 3)
  if (pictures.length === 0) return <Icon name={undated ? 'schedule' : 'calendar-today'} size={18} className="text-(--text-muted)" />
  return (
    <span className="-ms-1.5 flex -space-x-1.5">
      {pictures.map((asset) => (
        <span key={asset.id} className="relative size-6 overflow-hidden rounded-full bg-muted ring-2 ring-(--bg)">
          <Thumb asset={asset} />
        </span>
      ))}
    </span>
  )
}
