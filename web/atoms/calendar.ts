import { atom } from 'jotai'
import { t } from '#say'
import type { Post } from '../../contract/posts.ts'
import { type CalendarIndex, type Item, indexByDay } from '../lib/calendar/day-index.ts'
import { numberOf } from '../lib/calendar/days.ts'
import { dateAt, type Slot, slotOf } from '../lib/calendar/move.ts'
import { nameOfItems } from '../lib/calendar/words.ts'
import { isAsset, isPost } from '../lib/content/is-post.ts'
import { dayKeyOf } from '../lib/content/order.ts'
import { momentAt } from '../lib/dates/moments.ts'
import { shiftMoment } from '../lib/dates/shift.ts'
import { formatClock, formatDay } from '../lib/dates/text.ts'
import { localZone } from '../lib/dates/zones.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { bulkAtom, editPostAtom, undoAtom, withUndoToastAtom } from './outbox.ts'
import type { BulkChange, Change } from './outbox-types.ts'
import { mayEditAtom } from './rights.ts'
import { withPartsAtom } from './tiles.ts'
import { addToastAtom } from './toasts.ts'

/** Computed once per change of the content, and kept while other views are open. */
export const calendarIndexAtom = atom((get): CalendarIndex => indexByDay(get(visiblePostsAtom), get(visibleAssetsAtom)))

type Move = Extract<BulkChange, { kind: 'date' }>

/** A shift in days for items with a date. Other items get the day itself, in their own time zone or that of the browser. */
function moveFor(item: Item, day: string): Move | null {
  const from = item.date_precision === 'day' || item.date_precision === 'minute' ? dayKeyOf(item) : null
  if (from === null) return { kind: 'date', ...momentAt(day, '', item.date_zone ?? localZone()) }
  const days = numberOf(day) - numberOf(from)
  return days === 0 ? null : { kind: 'date', shift: { days } }
}

/** Moves items to a day, keeping their time of day and zone. Items that the user may not change stay where they are. */
export const moveToDayAtom = atom(null, async (get, set, items: readonly Item[], day: string) => {
  const groups = new Map<string, { move: Move; items: Item[] }>()
  for (const item of get(withPartsAtom)(items).filter(get(mayEditAtom))) {
    const move = moveFor(item, day)
    const key = JSON.stringify(move)
    if (move) groups.set(key, { move, items: [...(groups.get(key)?.items ?? []), item] })
  }
  const moved = [...groups.values()]
  if (moved.length === 0) return
  const name = nameOfItems(items.filter((item) => get(mayEditAtom)(item) && moveFor(item, day)))
  const ids = (some: readonly Item[]) => some.map(({ id }) => id)
  const changes: Change[] = []
  for (const { move, items: some } of moved) {
    changes.push(await set(bulkAtom, { posts: ids(some.filter(isPost)), assets: ids(some.filter(isAsset)) }, name, move))
  }
  const undo = async () => {
    for (const { id } of changes.toReversed()) await set(undoAtom, id)
  }
  set(addToastAtom, {
    // Ctrl-Z undoes the last of them.
    id: changes.at(-1)?.id ?? '',
    title: t`${name} moved to ${formatDay(day)}`,
    icon: 'calendar-today',
    actions: [{ label: t`Undo`, onClick: () => void undo() }],
  })
})

/** Moves an item with a time of day to another time in its own zone; its duration stays the same. */
export const moveToTimeAtom = atom(null, async (get, set, item: Item, slot: Slot) => {
  const date = dateAt(item, slot)
  if (date === null || item.date === null || Date.parse(date) === Date.parse(item.date) || !get(mayEditAtom)(item)) return
  const name = nameOfItems([item])
  const assets = get(withPartsAtom)([item]).filter(isAsset).filter(get(mayEditAtom))
  const posts = isPost(item) ? [item.id] : []
  const moved = set(bulkAtom, { posts, assets: assets.map(({ id }) => id) }, name, { kind: 'date', date })
  // The actual time: some times do not exist on the day the clocks go forward.
  const { day, minutes } = slotOf({ ...item, date }) ?? slot
  await set(withUndoToastAtom, moved, t`${name} moved to ${formatDay(day)}, ${formatClock(minutes)}`, 'calendar-today')
})

/** Moves the end of an event to another day, but not before its start. `last` is its current last day. */
export const moveEndAtom = atom(null, async (get, set, post: Post, last: string, day: string) => {
  const begin = dayKeyOf(post)
  if (post.date === null || begin === null || day === last || day < begin || !get(mayEditAtom)(post)) return
  const endsAt = shiftMoment(post.ends_at ?? post.date, post.date_zone, numberOf(day) - numberOf(last))
  if (Date.parse(endsAt) < Date.parse(post.date)) return
  const changed = set(editPostAtom, post.id, { endsAt })
  await set(withUndoToastAtom, changed, t`“${post.title}” lasts until ${formatDay(day)}`, 'calendar-today')
})
