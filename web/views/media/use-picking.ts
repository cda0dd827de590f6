import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useRef, useState } from 'react'
import { clearPicksAtom, pickAtom, pickedAtom, setPickedAtom } from '../../atoms/selection.ts'
import { extended, type PickedRange } from '../../lib/bulk/selected-range.ts'

export interface Picking {
  picked: ReadonlySet<string>
  /** Indexes that Shift would take, as [from, to] inclusive. */
  foreseen: [number, number] | null
  toggle: (index: number) => void
  /** Ticks everything from the last ticked item to this one, in place of the range before. `otherwise` is where it begins when nothing is ticked. */
  extend: (index: number, otherwise?: number) => void
  foresee: (index: number | null) => void
  set: (items: readonly { id: string }[], on: boolean) => void
  all: () => void
  clear: () => void
}

/** Ticking items of an ordered list: one, a range from the last one, or all. */
export function usePicking(order: readonly { id: string }[]): Picking {
  const picked = useAtomValue(pickedAtom)
  const pick = useSetAtom(pickAtom)
  const setPicked = useSetAtom(setPickedAtom)
  const clear = useSetAtom(clearPicksAtom)
  const store = useStore()
  const range = useRef<PickedRange | null>(null)
  const [end, setEnd] = useState<number | null>(null)
  const anchorAmong = ({ size }: ReadonlySet<string>) => (size === 0 ? -1 : order.findIndex(({ id }) => id === range.current?.anchor))
  const from = end === null ? -1 : anchorAmong(picked)

  return {
    picked,
    foreseen: end !== null && from >= 0 ? [Math.min(from, end), Math.max(from, end)] : null,
    toggle(index) {
      const id = order[index]?.id
      if (!id) return
      const on = !picked.has(id)
      range.current = { anchor: id, ticked: on ? [id] : [] }
      pick([id], on)
    },
    extend(index, otherwise = index) {
      const first = order[otherwise]
      if (!first) return
      // A finger may move twice between two renderings.
      const current = store.get(pickedAtom)
      const last = anchorAmong(current) < 0 ? null : range.current
      const next = extended(order, { picked: current, range: last ?? { anchor: first.id, ticked: [] } }, index)
      range.current = next.range
      setPicked(next.picked)
    },
    foresee: setEnd,
    set(items, on) {
      if (range.current) range.current = { ...range.current, ticked: [] }
      pick(
        items.map(({ id }) => id),
        on,
      )
    },
    all() {
      range.current = null
      pick(
        order.map(({ id }) => id),
        true,
      )
    },
    clear,
  }
}
