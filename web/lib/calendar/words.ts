import { joined } from '#language'
import { t } from '#say'
import { isPost } from '../content/is-post.ts'
import { formatDay, formatDays, formatMonth, formatSometime, formatYear } from '../dates/text.ts'
import { kindOf, type MediaKind } from '../media.ts'
import { countOf, countText } from '../media-text.ts'
import type { Item } from './day-index.ts'
import { addDays } from './days.ts'
import type { CalendarViewName, PanelKey } from './url-state.ts'

/** `12 photos, 1 event, 2 notes`; empty for nothing. */
export function countsText(assets: readonly { type: string }[], events: number, notes: number): string {
  const media: readonly MediaKind[] = assets.map(({ type }) => kindOf(type))
  return joined([media.length > 0 && countOf(media), events > 0 && countText(events, 'event'), notes > 0 && countText(notes, 'note')])
}

/** Collective name of items: `“Kyoto”` for one post, `12 photos`, `3 items`. */
export function nameOfItems(items: readonly Item[]): string {
  const [only] = items
  if (items.length === 1 && only) return isPost(only) ? t`“${only.title}”` : countOf([kindOf(only.type)])
  return items.some(isPost) ? countText(items.length, 'item') : countOf(items.map(({ type }) => kindOf(type)))
}

/** `Friday 3 May 2024, 12 photos, 1 event`. */
export function dayLabel(day: string, contents: string): string {
  const name = formatDay(day).replace(',', '')
  return joined([name, contents])
}

/** `May 2024`, `13–19 Nov 2024` or `2024`. Years have no leading zeros. */
export function titleOf(view: CalendarViewName, on: string, week: string): string {
  if (view === 'year') return formatYear(on)
  return view === 'month' ? formatMonth(on) : formatDays(week, addDays(week, 6))
}

export function panelTitle(key: PanelKey): string {
  if (key === 'none') return t`Without a date`
  if (key.length === 10) return formatDay(key)
  return formatSometime(key)
}
