import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import { itemsWords, type MapItem } from '../../atoms/map.ts'
import { isRightToLeft } from '../../lib/reading-direction.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { ItemFace } from './item-face.tsx'
import { itemLabel } from './pin-words.ts'
import { useTrayDrag } from './use-tray-drag.ts'

/** Pixels from tile to tile. */
const TILE = 76

interface UnlocatedTrayProps {
  items: readonly MapItem[]
  /** Puts items where they were dropped, if that was on the map. */
  onDrop: (items: MapItem[], x: number, y: number) => void
  onChooseLocation: (items: MapItem[]) => void
}

/** Items without a location: drag them onto the map, or select some and choose a location. */
export function UnlocatedTray({ items, onDrop, onChooseLocation }: UnlocatedTrayProps) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const tray = useRef<HTMLElement>(null)
  // Button and tray replace each other, and the focus moves along.
  const show = (next: boolean) => {
    flushSync(() => setOpen(next))
    const taker = next ? tray.current : opener.current
    taker?.focus({ preventScroll: true })
  }
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const marked = items.filter(({ row }) => chosen.has(row.id))
  const { ghost, start } = useTrayDrag((item, x, y) => {
    onDrop(chosen.has(item.row.id) ? marked : [item], x, y)
    setChosen(new Set())
  })
  if (items.length === 0) return null
  const what = itemsWords(items)
  const words = t`${plural(items.length, { one: `${what} has no place`, other: `${what} have no place` })}`
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  if (!open) {
    return (
      <Button
        ref={opener}
        icon="location-off"
        onClick={() => show(true)}
        round
        className="absolute bottom-4 start-3 z-2 shadow-raised max-lg:bottom-18"
      >
        {words}
      </Button>
    )
  }
  return (
    <section
      ref={tray}
      aria-label={t`Items without a place`}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && show(false)}
      className="absolute bottom-4 start-3 z-4 w-[min(44rem,calc(100%-1.5rem))] animate-rise-in rounded-xl border bg-raised shadow-raised outline-none max-lg:bottom-[calc(0.75rem+var(--new-button,0px))]"
    >
      <div className="flex items-center gap-2 py-2 pe-2 ps-4">
        <h2 className="min-w-0 grow truncate text-sm font-semibold">
          {marked.length > 0 ? t`${{ items: itemsWords(marked) }} chosen` : words}
        </h2>
        <Button
          size="sm"
          variant="primary"
          icon="add-location"
          disabledReason={marked.length === 0 ? t`Select items below, or drag one onto the map` : undefined}
          onClick={() => {
            onChooseLocation(marked)
            setChosen(new Set())
          }}
        >
          <Trans>Place on map</Trans>
        </Button>
        <Button size="sm" variant="ghost" icon="close" iconOnly onClick={() => show(false)}>
          <Trans>Close</Trans>
        </Button>
      </div>
      <Strip items={items} chosen={chosen} onToggle={toggle} onStart={start} />
      {ghost && (
        <div
          aria-hidden="true"
          style={{ transform: `translate(${ghost.x - 28}px, ${ghost.y - 28}px)` }}
          className="pointer-events-none fixed top-0 left-0 z-50 size-14 overflow-hidden rounded-full border-2 border-(--bg-raised) shadow-dialog"
        >
          <ItemFace item={ghost.item} />
        </div>
      )}
    </section>
  )
}

interface StripProps {
  items: readonly MapItem[]
  chosen: ReadonlySet<string>
  onToggle: (id: string) => void
  onStart: (item: MapItem, event: React.PointerEvent<HTMLElement>) => void
}

function Strip({ items, chosen, onToggle, onStart }: StripProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const tiles = useVirtualizer({
    horizontal: true,
    isRtl: isRightToLeft(),
    count: items.length,
    estimateSize: () => TILE,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.row.id ?? index,
    overscan: 4,
  })
  return (
    <div ref={scroller} className="touch-pan-x touch-pinch-zoom overflow-x-auto overscroll-contain px-3 pb-3">
      <ul aria-label={t`Without a place`} className="relative h-18" style={{ width: tiles.getTotalSize() }}>
        {tiles.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index]
          if (!item) return null
          const on = chosen.has(item.row.id)
          return (
            <li key={key} className="absolute top-0 start-0" style={{ transform: `translateX(calc(${start}px * var(--forward)))` }}>
              <button
                type="button"
                aria-pressed={on}
                aria-label={itemLabel(item)}
                title={item.kind === 'post' ? item.row.title : undefined}
                onPointerDown={(event) => onStart(item, event)}
                onClick={() => onToggle(item.row.id)}
                className={cx(
                  'relative block size-18 cursor-grab touch-pan-x touch-pinch-zoom overflow-hidden rounded-md select-none focus-visible:-outline-offset-2',
                  on && 'ring-3 ring-(--accent) ring-inset',
                )}
              >
                <ItemFace item={item} className={cx(on && 'scale-85 rounded-md')} />
                {item.kind === 'post' && (
                  <span className="absolute inset-x-0 bottom-0 truncate bg-raised px-1 py-px text-center text-[0.6875rem] font-medium">
                    {item.row.title}
                  </span>
                )}
                {on && (
                  <span className="absolute top-1 start-1 grid size-5 place-items-center rounded-full bg-accent text-on-accent">
                    <Icon name="check" size={14} />
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
