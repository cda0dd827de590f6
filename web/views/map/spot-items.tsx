import { useState } from 'react'
import { t } from '#say'
import { Plural } from '#say/react'
import type { LocatedItem } from '../../atoms/map.ts'
import { useSelectionArea } from '../../components/bulk/use-selection-area.ts'
import { PartsMark } from '../../components/photos/parts-mark.tsx'
import { SELECTED, SelectionCheck, useIsSelected } from '../../components/selection-check.tsx'
import { nameOfItem } from '../../lib/bulk/words.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ItemFace } from './item-face.tsx'
import { itemLabel } from './pin-words.ts'

/** Number of items per page. */
const PORTION = 120

/** Items of a cluster or a location: photos as a grid, with posts as cards between them. */
export function SpotItems({ items, onOpen }: { items: readonly LocatedItem[]; onOpen: (item: LocatedItem) => void }) {
  const [shown, setShown] = useState(PORTION)
  const more = items.length - shown
  const selection = useSelectionArea(() => items.map(({ row }) => row))
  return (
    <div {...selection} className="p-3 pt-1 [-webkit-touch-callout:none]">
      <ul aria-label={t`Items here`} className="grid grid-flow-dense grid-cols-3 gap-1 max-lg:grid-cols-4">
        {items.slice(0, shown).map((item) => (
          <SpotItem key={item.row.id} item={item} onOpen={onOpen} />
        ))}
      </ul>
      {more > 0 && (
        <Button className="mt-3 w-full" onClick={() => setShown(shown + PORTION)}>
          <Plural value={Math.min(more, PORTION)} one="Show # more" other="Show # more" />
        </Button>
      )}
    </div>
  )
}

interface ItemProps {
  item: LocatedItem
  onOpen: (item: LocatedItem) => void
}

function SpotItem({ item, onOpen }: ItemProps) {
  const { id } = item.row
  const selected = useIsSelected(id)
  const shape = item.kind === 'post' ? 'col-span-full rounded-md' : 'rounded-sm'
  return (
    <li data-selectable={id} className={cx('group/selectable relative', shape, selected && SELECTED)}>
      {item.kind === 'post' ? <PostRow item={item} onOpen={onOpen} /> : <Tile item={item} onOpen={onOpen} />}
      <SelectionCheck id={id} name={nameOfItem(item.row)} className="top-1 start-1" />
    </li>
  )
}

function Tile({ item, onOpen }: ItemProps) {
  return (
    <button
      type="button"
      data-select-open=""
      aria-label={itemLabel(item)}
      onClick={() => onOpen(item)}
      className="relative block aspect-square w-full overflow-hidden rounded-sm focus-visible:-outline-offset-2"
    >
      <ItemFace item={item} />
      {item.kind === 'asset' && <PartsMark asset={item.row} />}
    </button>
  )
}

function PostRow({ item, onOpen }: ItemProps) {
  if (item.kind !== 'post') return null
  return (
    <button
      type="button"
      data-select-open=""
      onClick={() => onOpen(item)}
      className="flex w-full items-center gap-3 rounded-md border p-2 text-start hover:bg-muted focus-visible:-outline-offset-2"
    >
      <span className="size-11 shrink-0 overflow-hidden rounded-sm">
        <ItemFace item={item} />
      </span>
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium" dir="auto">
          {item.row.title}
        </span>
        {item.row.date && <span className="block truncate text-xs text-muted tabular-nums">{formatWhen(item.row)}</span>}
      </span>
    </button>
  )
}
