import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { BaseMap } from '../../components/map/use-base-map.ts'
import { shortCount } from '../../lib/map/item-words.ts'
import type { Marker } from '../../lib/map/maplibre.ts'
import { cx } from '../../ui/cx.ts'
import { ItemFace } from './item-face.tsx'
import type { Pin } from './use-clusters.ts'

interface PinMarkerProps {
  base: BaseMap
  pin: Pin
  label: string
  selected: boolean
  draggable: boolean
  onOpen: (pin: Pin, element: HTMLElement) => void
  /** Double click on a cluster. */
  onEnter: (pin: Pin) => void
  onMoved: (pin: Pin, to: { lat: number; lon: number }) => void
}

/** One pin: a marker of the map library, with its content rendered by React. */
export const PinMarker = memo(function PinMarker(props: PinMarkerProps) {
  const { base, pin, draggable, onMoved } = props
  const [host] = useState(makeHost)
  const marker = useRef<Marker>(null)
  const dragged = useRef(false)

  useLayoutEffect(() => {
    const made = new base.library.Marker({ element: host, clickTolerance: 4 }).setLngLat([0, 0]).addTo(base.map)
    marker.current = made
    return () => {
      made.remove()
    }
  }, [base, host])
  useLayoutEffect(() => {
    marker.current?.setLngLat([pin.lon, pin.lat])
    // Larger pins lie above smaller ones, and of two pins the southern one above.
    host.style.zIndex = pin.count > 1 ? '2' : '1'
  }, [host, pin.lon, pin.lat, pin.count])
  useEffect(() => {
    const here = marker.current
    if (!here) return
    here.setDraggable(draggable)
    const begin = () => {
      dragged.current = true
    }
    const end = () => {
      const { lat, lng } = here.getLngLat().wrap()
      onMoved(pin, { lat, lon: lng })
      // The click that ends the drag follows immediately.
      setTimeout(() => {
        dragged.current = false
      })
    }
    here.on('dragstart', begin)
    here.on('dragend', end)
    return () => {
      here.off('dragstart', begin)
      here.off('dragend', end)
    }
  }, [draggable, pin, onMoved])

  return createPortal(<PinButton {...props} wasDragged={() => dragged.current} />, host)
})

function makeHost(): HTMLElement {
  const host = document.createElement('div')
  // Without it, the map library sets a role of its own.
  host.setAttribute('role', 'none')
  return host
}

function PinButton({ pin, label, selected, draggable, onOpen, onEnter, wasDragged }: PinMarkerProps & { wasDragged: () => boolean }) {
  const single = pin.count === 1
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={selected}
      data-pin={single ? 'item' : 'cluster'}
      onClick={(event) => {
        event.stopPropagation()
        if (!wasDragged()) onOpen(pin, event.currentTarget)
      }}
      onDoubleClick={(event) => {
        event.stopPropagation()
        if (!single) onEnter(pin)
      }}
      className={cx(
        'group relative block animate-fade-in border-2 border-(--bg-raised) bg-raised shadow-raised transition-transform duration-(--fast) ease-out hover:scale-106 focus-visible:z-10',
        single ? 'size-11 rounded-full' : pin.count < 100 ? 'size-14 rounded-lg' : 'size-16 rounded-lg',
        selected && 'outline-3 outline-(--accent)',
        draggable && 'cursor-grab active:cursor-grabbing',
      )}
    >
      <ItemFace item={pin.item} className={single ? 'rounded-full' : 'rounded-[calc(var(--radius)*1.5-2px)]'} />
      {!single && (
        <span className="absolute -top-2 -end-2.5 min-w-6 rounded-full bg-accent px-1.5 py-0.5 text-center text-xs font-semibold tabular-nums text-on-accent ring-2 ring-(--bg-raised)">
          {shortCount(pin.count)}
        </span>
      )}
    </button>
  )
}
