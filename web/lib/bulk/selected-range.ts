/** A range by id, because the order changes while photos are being uploaded. */
export interface SelectedRange {
  anchor: string
  /** Items that the range itself selected: those selected before stay selected when it shrinks. */
  selected: readonly string[]
}

interface ItemSelection {
  selected: ReadonlySet<string>
  range: SelectedRange
}

/** Extends the range from the same anchor to `index`, replacing its previous extent. */
export function extended(order: readonly { id: string }[], { selected, range }: ItemSelection, index: number): ItemSelection {
  const start = order.findIndex(({ id }) => id === range.anchor)
  const before = new Set(selected)
  for (const id of range.selected) before.delete(id)
  const added = order
    .slice(Math.min(start, index), Math.max(start, index) + 1)
    .map(({ id }) => id)
    .filter((id) => !before.has(id))
  return { selected: new Set([...before, ...added]), range: { anchor: range.anchor, selected: added } }
}
