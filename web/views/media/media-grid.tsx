import { useAtomValue } from 'jotai'
import { type Ref, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { t } from '#say'
import type { Arrangement } from '../../atoms/media-options.ts'
import { unsavedItemsAtom } from '../../atoms/pending.ts'
import { ArrivalsPill } from '../../components/content/arrivals-pill.tsx'
import { type Arrival, useArrivals } from '../../components/content/use-arrivals.ts'
import { AssetTile, TilePlaceholder } from '../../components/photos/asset-tile.tsx'
import { MonthScrubber } from '../../components/scroll/month-scrubber.tsx'
import { scrollToTop } from '../../components/scroll/scroll-to-top.ts'
import { useSlowedDown } from '../../components/scroll/use-fast-scroll.ts'
import { useKeptScroll } from '../../components/scroll/use-kept-scroll.ts'
import { HEADROOM, useLinked } from '../../components/scroll/use-linked.ts'
import { useScroller } from '../../components/scroll/use-scroller.ts'
import { useWidth } from '../../components/use-width.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { guestLink } from '../../lib/guest/link.ts'
import type { Band, BandDay } from '../../lib/photos/justified.ts'
import { indexIn, type ScrollPosition } from '../../lib/scroll/anchor.ts'
import { hasScrollPosition } from '../../lib/scroll/scroll-positions.ts'
import { boxHeight } from '../../lib/scroll/tall-scroll.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { DayHeading } from './day-heading.tsx'
import { layoutOf, listLayoutOf, type MediaModel, marksOf } from './media-model.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useGridSelection } from './use-grid-selection.ts'
import { useTileWindow } from './use-tile-window.ts'

/** Methods that the view may call on the grid. */
export interface GridHandle {
  focusItem: (id: string) => void
}

interface MediaGridProps {
  model: MediaModel
  /** Key of the list's scroll position. */
  list: string
  /** All content is loaded. */
  complete: boolean
  arrangement: Arrangement
  onOpen: (id: string) => void
  handle: Ref<GridHandle>
}

/** Where only the page's edges are beside the grid. */
const SMALL = '(width < 64rem)'
const EDGES = 32

/** The whole collection in one tall box, with only the visible tiles mounted. */
export function MediaGrid({ model, list, complete, arrangement, onOpen, handle }: MediaGridProps) {
  const { order, days, starts } = model
  const grid = useRef<HTMLDivElement>(null)
  const unsaved = useAtomValue(unsavedItemsAtom)
  // With a known width, the tiles are rendered in slices together with the grid, before it can be measured.
  const [expectedWidth] = useState(() => (matchMedia(SMALL).matches && !hasScrollPosition(list) ? innerWidth - EDGES : 0))
  const width = useWidth(grid, expectedWidth, expectedWidth > 0)
  const layout = useMemo(() => layoutOf(model, width, arrangement), [model, width, arrangement])
  const marks = useMemo(() => marksOf(days, layout), [days, layout])
  const listLayout = useMemo(() => (width > 0 ? listLayoutOf(model, layout) : null), [model, layout, width])
  const scroller = useScroller(grid, expectedWidth > 0)
  useLayoutEffect(() => scroller?.fit(layout.height), [scroller, layout])
  const go = useKeptScroll({ listLayout, scroller, list, complete })
  const find = useCallback((hash: string) => linkedDay(days, hash), [days])
  useLinked({ ready: listLayout !== null && scroller !== null, find, go })
  const rowOf = useCallback((item: Arrival) => (listLayout ? indexIn(listLayout, item.id, dayKeyOf(item)) : -1), [listLayout])
  const lists = useMemo(() => [model.assets], [model])
  const arrived = useArrivals({ lists, rowOf, listLayout, scroller, list, complete })
  const shown = useTileWindow(layout, scroller, expectedWidth > 0)
  const selection = useGridSelection(order)
  const keys = useGridKeys({ grid, layout, scroller, selection })
  // If the active tile was scrolled out of sight, Tab enters at a visible one.
  const [first, end] = shown.tiles
  const reachable = keys.active >= first && keys.active < end ? keys.active : first
  const reachableDay = starts.findLastIndex((start) => start <= reachable)
  const open = (index: number) => {
    const asset = order[index]
    keys.setActive(index)
    if (asset) onOpen(asset.id)
  }
  const { hovered, handlers } = useGridPointer({ grid, scroller, selection, open })
  useImperativeHandle(handle, () => ({
    focusItem(id) {
      const index = order.findIndex((asset) => asset.id === id)
      // An item that has left the grid is followed by another one at its place.
      keys.focus(index < 0 ? keys.active : index)
    },
  }))

  const tile = (index: number) => {
    const asset = order[index]
    if (!asset) return null
    const { x, y, w, h } = layout
    return (
      <PositionedTile
        key={asset.id}
        asset={asset}
        index={index}
        {...{ x: x[index] ?? 0, y: (y[index] ?? 0) - shown.shift, width: w[index] ?? 0, height: h[index] ?? 0 }}
        tabbable={index === reachable}
        selected={selection.selected.has(asset.id)}
        unsaved={unsaved.has(asset.id)}
        selecting={selection.selected.size > 0}
        previewed={selection.preview !== null && index >= selection.preview[0] && index <= selection.preview[1]}
      />
    )
  }

  const heading = ({ top, height, days: { length } }: Band, { index, x, width: dayWidth }: BandDay) => {
    const day = days[index]
    if (!day) return null
    const selected = day.items.every(({ id }) => selection.selected.has(id))
    return (
      <div
        key={day.day}
        className="pointer-events-none absolute"
        style={{ top: top - shown.shift, height, insetInlineStart: x, width: length === 1 ? width : dayWidth }}
      >
        {/* A little wider than the photos, which are not on whole pixels. */}
        <div className="pointer-events-auto sticky top-[calc(3.5rem+env(safe-area-inset-top))] z-10 -mx-1 h-11 bg-page px-1 lg:top-0">
          <DayHeading
            {...{ day, selected }}
            alone={length === 1}
            selecting={selection.selected.size > 0}
            tabbable={index === reachableDay}
            onSelect={() => selection.set(day.items, !selected)}
          />
        </div>
      </div>
    )
  }

  /** In the order of reading: every day's heading before its photos. */
  const content = () => {
    const shownDays = layout.bands.slice(...shown.bands).flatMap((band) => band.days.map((day) => ({ band, day })))
    let next = first
    const tilesBefore = (index: number) => {
      const from = next
      next = Math.max(from, Math.min(index, end))
      return range(from, next).map(tile)
    }
    return [...shownDays.flatMap(({ band, day }) => [...tilesBefore(starts[day.index] ?? 0), heading(band, day)]), ...tilesBefore(end)]
  }

  return (
    // Space for the scrubber depends on the number of months, not on whether it is shown: that depends on the height, and so on the width.
    <div className={cx('relative flex', marks.length > 1 && 'lg:pe-3')}>
      <ArrivalsPill count={arrived} onGo={() => scroller && scrollToTop(scroller)} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div
        ref={grid}
        role="group"
        aria-label={t`Photos, videos and files`}
        className="relative min-w-0 grow touch-pan-y touch-pinch-zoom [overflow-anchor:none] [-webkit-touch-callout:none]"
        style={{ height: boxHeight(layout.height) }}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        {...handlers}
      >
        {content()}
        {!guestLink && hovered !== null && selection.selected.size === 0 && order[hovered] && (
          <HoverCheck x={layout.x[hovered] ?? 0} y={(layout.y[hovered] ?? 0) - shown.shift} onSelect={() => selection.toggle(hovered)} />
        )}
      </div>
      <MonthScrubber marks={marks} height={layout.height} scroller={scroller} />
    </div>
  )
}

/** The day that the URL names (`#day-2024-03-15`); null while there is none. */
function linkedDay(days: MediaModel['days'], hash: string): ScrollPosition | null {
  const day = /^#day-(\d{4}-\d\d-\d\d)$/.exec(hash)?.[1]
  return day && days.some((other) => other.day === day) ? { key: '', below: HEADROOM, day } : null
}

function PositionedTile({
  x,
  y,
  width,
  height,
  ...rest
}: Omit<Parameters<typeof AssetTile>[0], 'box'> & { x: number; y: number; width: number; height: number }) {
  // The same object while the numbers stay the same, so that the tile does not render on every hover.
  const box = useMemo(() => ({ x, y, width, height }), [x, y, width, height])
  if (!useSlowedDown()) return <TilePlaceholder box={box} asset={rest.asset} index={rest.index} />
  return <AssetTile {...rest} box={box} />
}

/** For the mouse: one checkbox over the tile under the pointer. Keyboard and touch select in other ways. */
function HoverCheck({ x, y, onSelect }: { x: number; y: number; onSelect: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t`Select`}
      // The pointer is still over the tile; the grid, which sees no tile here, would remove the checkbox.
      onPointerMove={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        onSelect()
      }}
      style={{ transform: `translate(calc(${x + 6}px * var(--forward)), ${y + 6}px)` }}
      className="absolute top-0 start-0 grid size-6 animate-fade-in place-items-center rounded-full bg-black/35 text-white hover:bg-black/60"
    >
      <Icon name="check" size={18} />
    </button>
  )
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
}
