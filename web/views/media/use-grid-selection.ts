import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useRef, useState } from 'react'
import { clearSelectionAtom, selectAtom, selectionAtom, setSelectionAtom } from '../../atoms/selection.ts'
import { extended, type SelectedRange } from '../../lib/bulk/selected-range.ts'

export interface GridSelection {
  selected: ReadonlySet<string>
  /** Range of indexes that Shift-click would select, as [from, to] inclusive. */
  preview: [number, number] | null
  toggle: (index: number) => void
  /** Selects the range from the last selected item to this one, in place of the previous range. `otherwise` is the start when nothing is selected. */
  extend: (index: number, otherwise?: number) => void
  setPreview: (index: number | null) => void
  set: (items: readonly { id: string }[], on: boolean) => void
  all: () => void
  clear: () => void
}

/** Selects items of an ordered list: one, a range from the last one, or all. */
export function useGridSelection(order: readonly { id: string }[]): GridSelection {
  const selected = useAtomValue(selectionAtom)
  const select = useSetAtom(selectAtom)
  const setSelection = useSetAtom(setSelectionAtom)
  const clear = useSetAtom(clearSelectionAtom)
  const store = useStore()
  const range = useRef<SelectedRange | null>(null)
  const [end, setEnd] = useState<number | null>(null)
  const anchorAmong = ({ size }: ReadonlySet<string>) => (size === 0 ? -1 : order.findIndex(({ id }) => id === range.current?.anchor))
  const from = end === null ? -1 : anchorAmong(selected)

  return {
    selected,
    preview: end !== null && from >= 0 ? [Math.min(from, end), Math.max(from, end)] : null,
    toggle(index) {
      const id = order[index]?.id
      if (!id) return
      const on = !selected.has(id)
      range.current = { anchor: id, selected: on ? [id] : [] }
      select([id], on)
    },
    extend(index, otherwise = index) {
      const first = order[otherwise]
      if (!first) return
      // A finger may move twice between two renders.
      const current = store.get(selectionAtom)
      const last = anchorAmong(current) < 0 ? null : range.current
      const next = extended(order, { selected: current, range: last ?? { anchor: first.id, selected: [] } }, index)
      range.current = next.range
      setSelection(next.selected)
    },
    setPreview: setEnd,
    set(items, on) {
      if (range.current) range.current = { ...range.current, selected: [] }
      select(
        items.map(({ id }) => id),
        on,
      )
    },
    all() {
      range.current = null
      select(
        order.map(({ id }) => id),
        true,
      )
    },
    clear,
  }
}
