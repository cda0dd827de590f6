import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { useShortcut } from '../../components/use-shortcut.ts'
import type { ListLayout, ScrollPosition } from '../../lib/scroll/anchor.ts'
import type { TimelineEntry } from '../../lib/timeline/types.ts'

interface Options {
  entries: readonly TimelineEntry[]
  listLayout: ListLayout | null
  scroller: Scroller | null
  /** Space above the target, in pixels. */
  headroom: number
  go: (position: ScrollPosition) => void
}

/** J and K move to the next and the previous row, skipping headings. */
export function useRowKeys({ entries, listLayout, scroller, headroom, go }: Options): void {
  const step = (by: 1 | -1) => {
    if (!listLayout || !scroller) return
    // The row at the headroom, within a fraction of a pixel, is the current one.
    const line = scroller.top() + headroom
    const reached = (index: number) => (by > 0 ? listLayout.topAt(index) > line + 2 : listLayout.topAt(index) < line - 2)
    const rows = entries
      .map((entry, index) => ({ entry, index }))
      .filter(({ entry }) => entry.kind !== 'day' && entry.kind !== 'gap' && entry.kind !== 'closed')
    const focused = focusedKey()
    const at = rows.findIndex(({ entry }) => entry.key === focused)
    const beyond = () => (by > 0 ? rows.find(({ index }) => reached(index)) : rows.findLast(({ index }) => reached(index)))
    // Near the end nothing scrolls any more, so the focused row is the current one.
    const next = at < 0 ? beyond() : rows[at + by]
    if (!next) return
    go({ key: next.entry.key, below: headroom, day: null })
    // At once if it is rendered already: the next key may be meant for it.
    focusSoon(next.entry.key)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
}

/** Frames within which a distant row is rendered. */
const FRAMES = 20

/** Waits for a row that is rendered in one of the next frames, unless the user moves the focus meanwhile. */
function focusSoon(key: string, frames = FRAMES): void {
  const before = document.activeElement
  if (focusRow(key) || frames === 0) return
  requestAnimationFrame(() => (document.activeElement === before || document.activeElement === document.body) && focusSoon(key, frames - 1))
}

/** The row that has the focus and is visible. */
function focusedKey(): string | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  if (!row) return undefined
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > 0 && top < innerHeight ? row.dataset.row : undefined
}

/** Whether there was a row to focus. */
function focusRow(key: string): boolean {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
  const target = row?.querySelector<HTMLElement>('article, button, a')
  if (target?.localName === 'article') target.tabIndex = -1
  target?.focus({ preventScroll: true })
  return Boolean(target)
}
