import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#say'
import { Trans } from '#say/react'
import type { LocatedItem } from '../../atoms/map.ts'
import type { BaseMap } from '../../components/map/use-base-map.ts'
import { PartsMark } from '../../components/photos/parts-mark.tsx'
import { nameOfItem } from '../../lib/bulk/words.ts'
import { formatWhen } from '../../lib/dates/text.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemFace } from './item-face.tsx'

interface ItemPopupProps {
  base: BaseMap
  item: LocatedItem
  locationName: string
  onOpen: () => void
  /** Missing when the role does not allow it. */
  onMove: (() => void) | undefined
  onRemoveLocation: (() => void) | undefined
  onClose: () => void
}

/** A card above a pin: title, date and location. */
export function ItemPopup({ base, item, locationName, onOpen, onMove, onRemoveLocation, onClose }: ItemPopupProps) {
  const { row } = item
  const title = nameOfItem(row)
  useEffect(
    () => () => {
      // The item disappeared, and the focus with it.
      if (document.activeElement === document.body) base.map.getCanvas().focus({ preventScroll: true })
    },
    [base],
  )
  return (
    <AtSpot base={base} lat={row.location.lat} lon={row.location.lon}>
      <Card label={title} onClose={onClose}>
        <button
          type="button"
          aria-label={t`Open ${title}`}
          onClick={onOpen}
          className="relative block h-40 w-full focus-visible:-outline-offset-2"
        >
          <ItemFace item={item} iconSize={36} />
          {item.kind === 'asset' && <PartsMark asset={item.row} />}
        </button>
        <div className="grid gap-0.5 p-3.5">
          <h2 className="line-clamp-2 font-semibold wrap-anywhere">{title}</h2>
          {row.date && <p className="text-sm text-muted tabular-nums">{formatWhen(row)}</p>}
          <p className="flex items-center gap-1 text-sm text-muted">
            <Icon name="location-on" size={16} />
            <span className="truncate">{locationName}</span>
          </p>
          <div className="mt-2.5 flex items-center gap-1">
            <Button variant="primary" size="sm" onClick={onOpen} className="me-auto">
              <Trans context="verb">Open</Trans>
            </Button>
            {onMove && (
              <Button variant="ghost" size="sm" icon="add-location" iconOnly onClick={onMove}>
                <Trans>Move on map</Trans>
              </Button>
            )}
            {onRemoveLocation && (
              <Button variant="ghost" size="sm" icon="location-off" iconOnly onClick={onRemoveLocation}>
                <Trans>Remove from map</Trans>
              </Button>
            )}
          </div>
        </div>
      </Card>
    </AtSpot>
  )
}

function Card({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
    <div
      ref={card}
      role="group"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      className="relative w-64 animate-rise-in overflow-hidden rounded-xl border bg-raised shadow-raised outline-none"
    >
      {children}
      <button
        type="button"
        aria-label={t`Close`}
        onClick={onClose}
        className="absolute top-2 end-2 grid size-8 place-items-center rounded-full bg-black/60 text-white hover:bg-black/80 pointer-coarse:size-11"
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  )
}

/** Follows a point on the map: above it, or below where there is more room. */
function AtSpot({ base: { library, map }, lat, lon, children }: { base: BaseMap; lat: number; lon: number; children: ReactNode }) {
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    const popup = new library.Popup({ closeButton: false, closeOnClick: false, focusAfterOpen: false, offset: 30, maxWidth: 'none' })
    popup.setLngLat([lon, lat]).setDOMContent(host).addTo(map)
    return () => {
      popup.remove()
    }
  }, [library, map, host, lat, lon])
  return createPortal(children, host)
}
