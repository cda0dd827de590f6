import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { contentCompleteAtom, contentErrorAtom } from '../../atoms/content.ts'
import { changeLocationAtom, itemsWords, type LocatedItem, locatedAtom, type MapItem, unlocatedAtom } from '../../atoms/map.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { type BaseMap, useBaseMap } from '../../components/map/use-base-map.ts'
import { useWide } from '../../components/use-wide.ts'
import { locationAt } from '../../lib/map/location-at.ts'
import { boundsOf, MAX_ZOOM } from '../../lib/map/position.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ItemPopup } from './item-popup.tsx'
import { LocationChooser } from './location-chooser.tsx'
import { LocationList, LocationListSkeleton } from './location-list.tsx'
import { MapEmpty, MapSkeleton } from './map-states.tsx'
import { NoMap } from './no-map.tsx'
import { pinLabel, spotName, usePlaceIndex } from './pin-words.ts'
import { PinMarker } from './pins.tsx'
import { SidePanel } from './side-panel.tsx'
import { SpotItems } from './spot-items.tsx'
import { UnlocatedTray } from './unlocated-tray.tsx'
import { type Pin, useClusters } from './use-clusters.ts'
import { fitOptions, useInitialView, useMapUrlState } from './use-map-url-state.ts'
import { useOpenedSpot } from './use-opened-spot.ts'
import { usePinDots } from './use-pin-dots.ts'

/** Maximum number of pins that are elements with photos; the rest are painted as dots. */
const ELEMENTS = 90
const NONE: Pin[] = []
/** On touch screens, a swipe that moves the map must not drag a pin: a tap selects it first. */
const finePointer = matchMedia('(pointer: fine)').matches

interface MapScreenProps {
  /** `among`: the ids that the lightbox can move through. */
  onOpen: (id: string, among?: readonly string[]) => void
}

export function MapScreen({ onOpen }: MapScreenProps) {
  const container = useRef<HTMLDivElement>(null)
  const located = useAtomValue(locatedAtom)
  const unlocated = useAtomValue(unlocatedAtom)
  const mayEdit = useAtomValue(mayEditAtom)
  const move = useSetAtom(changeLocationAtom)
  const index = usePlaceIndex()
  const contentBounds = () => boundsOf(located.map(({ row }) => row.location))
  const edges = { wide: useWide(), tray: unlocated.length > 0 }
  const { begin, untouched } = useInitialView(contentBounds, edges)
  const [state, retry] = useBaseMap(container, t`Map of the collection`, begin)
  const base = typeof state === 'string' ? null : state
  useMapUrlState(base?.map ?? null)
  const complete = useAtomValue(contentCompleteAtom)
  const failed = useAtomValue(contentErrorAtom) !== null
  const { pins, known, ask } = useClusters(base?.map ?? null, located, complete || failed)

  const opened = useOpenedSpot(ask, index)
  const { closeCard, openPin } = opened
  const [choosing, setChoosing] = useState<readonly MapItem[] | null>(null)

  const enter = useCallback(
    async (pin: Pin) => {
      if (!base) return
      const zoom = Math.min(await ask.splitsAt(pin), base.map.getMaxZoom(), MAX_ZOOM)
      base.map.easeTo({ center: [pin.lon, pin.lat], zoom: Math.max(zoom, base.map.getZoom()) })
    },
    [base, ask],
  )
  const moved = useCallback(
    (pin: Pin, { lat, lon }: { lat: number; lon: number }) => {
      closeCard()
      void locationAt(lat, lon).then((location) => move([pin.item], location))
    },
    [move, closeCard],
  )
  const drop = (items: MapItem[], x: number, y: number) => {
    const box = container.current?.getBoundingClientRect()
    const over = document.elementFromPoint(x, y)
    if (!base || !box || !container.current?.contains(over)) return
    const { lat, lng } = base.map.unproject([x - box.left, y - box.top]).wrap()
    void locationAt(lat, lng).then((location) => move(items, location))
  }
  const chooseLocation = (items: readonly MapItem[]) => {
    closeCard()
    const spot = items.find((item): item is LocatedItem => item.row.location !== null)?.row.location
    if (spot) base?.map.jumpTo({ center: [spot.lon, spot.lat] })
    setChoosing(items)
  }
  /** The focused element disappears, and keys belong to the map again. */
  const backToMap = () => base?.map.getCanvas().focus({ preventScroll: true })
  const fit = () => {
    const bounds = contentBounds()
    if (bounds) base?.map.fitBounds(bounds, fitOptions(edges))
  }

  const fitted = useRef(complete)
  useEffect(() => {
    // The map was fitted to the first page of content; the rest may lie elsewhere.
    if (!base || !complete || fitted.current) return
    fitted.current = true
    const bounds = contentBounds()
    if (bounds && untouched()) base.map.fitBounds(bounds, { ...fitOptions(edges), duration: 0 })
  })

  usePinDots(
    base,
    useMemo(() => (pins.length > ELEMENTS ? pins.slice(ELEMENTS) : NONE), [pins]),
    choosing ? null : openPin,
  )
  const shown = useMemo(() => pins.slice(0, ELEMENTS), [pins])
  const { spot, card } = opened
  const movable = spot?.items.filter(({ row }) => mayEdit(row)) ?? []
  const inView = pins.reduce((sum, { count }) => sum + count, 0)
  const total = located.length
  const inViewWords = t({ message: `${inView} of ${total}`, comment: 'How many of all items are in the visible part of the map' })

  return (
    <div className="relative flex min-h-0 grow overflow-hidden border-t">
      <button
        type="button"
        onClick={opened.goToPanel}
        className="absolute top-2 start-2 z-7 -translate-y-20 rounded-md bg-accent px-4 py-2 text-sm font-medium text-on-accent focus:translate-y-0"
      >
        <Trans>Skip map, go to list</Trans>
      </button>
      {state === 'no-webgl' || state === 'failed' ? (
        <NoMap reason={state} onRetry={retry} located={located} onOpen={onOpen} />
      ) : (
        <>
          {/* While a location is being chosen, clicks belong to the map, not to the pins. */}
          <div className={cx('relative min-w-0 grow', choosing && '[&_.maplibregl-marker]:pointer-events-none')}>
            {/* Around the world where it is lower than the screen, too. */}
            <div ref={container} className="absolute inset-0 bg-(--map-water)" />
            {!base && <MapSkeleton />}
            {base && !choosing && <MapControls base={base} onFit={fit} />}
            {base &&
              shown.map((pin) => (
                <PinMarker
                  key={pin.item.row.id}
                  base={base}
                  pin={pin}
                  label={pinLabel(pin, index)}
                  selected={opened.isOpen(pin)}
                  draggable={
                    pin.count === 1 && choosing === null && mayEdit(pin.item.row) && (finePointer || card?.row.id === pin.item.row.id)
                  }
                  onOpen={openPin}
                  onEnter={enter}
                  onMoved={moved}
                />
              ))}
            {base && card && !choosing && (
              <ItemPopup
                key={card.row.id}
                base={base}
                item={card}
                locationName={card.row.location.name ?? spotName(index, card.row.location)}
                onOpen={() => onOpen(card.row.id)}
                onMove={mayEdit(card.row) ? () => chooseLocation([card]) : undefined}
                onRemoveLocation={
                  mayEdit(card.row)
                    ? () => {
                        closeCard()
                        backToMap()
                        void move([card], null)
                      }
                    : undefined
                }
                onClose={opened.close}
              />
            )}
            {base && located.length === 0 && !choosing && <MapEmpty unlocated={unlocated.length > 0} />}
            {base && !choosing && <UnlocatedTray items={unlocated} onDrop={drop} onChooseLocation={chooseLocation} />}
            {base && choosing && (
              <LocationChooser
                base={base}
                items={choosing}
                index={index}
                onCancel={() => {
                  setChoosing(null)
                  backToMap()
                }}
                onChoose={(location) => {
                  setChoosing(null)
                  backToMap()
                  void move(choosing, location)
                }}
              />
            )}
          </div>
          {located.length > 0 && (
            <SidePanel
              title={spot?.name ?? t`In view`}
              detail={spot ? itemsWords(spot.items) : known ? inViewWords : t`Loading…`}
              onBack={spot ? opened.close : undefined}
              opened={opened.times}
              action={
                movable.length > 0 && (
                  <Button variant="ghost" size="sm" icon="add-location" iconOnly onClick={() => chooseLocation(movable)}>
                    {t`Move ${{ items: itemsWords(movable) }}`}
                  </Button>
                )
              }
            >
              {spot ? (
                <SpotItems
                  key={opened.times}
                  items={spot.items}
                  onOpen={(item) =>
                    onOpen(
                      item.row.id,
                      spot.items.map(({ row }) => row.id),
                    )
                  }
                />
              ) : known ? (
                <LocationList pins={pins} index={index} onOpen={(one, element) => void opened.openSpot(one, element)} />
              ) : (
                <LocationListSkeleton />
              )}
            </SidePanel>
          )}
        </>
      )}
    </div>
  )
}

/** Zoom and fit buttons, for users without a wheel. */
function MapControls({ base: { map }, onFit }: { base: BaseMap; onFit: () => void }) {
  return (
    <div className="absolute top-3 end-3 z-2 grid overflow-hidden rounded-lg border bg-raised shadow-raised *:rounded-none">
      <Button variant="ghost" icon="add" iconOnly onClick={() => map.zoomIn()}>
        <Trans>Zoom in</Trans>
      </Button>
      <Button variant="ghost" icon="remove" iconOnly onClick={() => map.zoomOut()}>
        <Trans>Zoom out</Trans>
      </Button>
      <Button variant="ghost" icon="fit-screen" iconOnly onClick={onFit}>
        <Trans>Fit to all items</Trans>
      </Button>
    </div>
  )
}
