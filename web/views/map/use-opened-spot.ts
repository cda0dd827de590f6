import { atom, useAtomValue } from 'jotai'
import { useCallback, useRef, useState } from 'react'
import { type LocatedItem, locatedByIdAtom } from '../../atoms/map.ts'
import { newestFirst } from '../../lib/content/order.ts'
import type { PlaceIndex } from '../../lib/map/location-search.ts'
import type { Spot } from './location-list.tsx'
import { pinSpot } from './pin-words.ts'
import type { Pin, useClusters } from './use-clusters.ts'

/** Finding rows in filtered lists takes a while: not before anything is open. */
const noneAtom = atom(() => () => null)

/** The content of the panel as ids, so that it follows changes of the items. */
interface Selection {
  name: string
  ids: string[]
}

/** The open part of the map: a location in the panel, or a card above one pin. */
export function useOpenedSpot(ask: ReturnType<typeof useClusters>['ask'], index: PlaceIndex | null) {
  const [selection, setSelection] = useState<Selection | null>(null)
  const [card, setCard] = useState<string | null>(null)
  const byId = useAtomValue(selection || card ? locatedByIdAtom : noneAtom)
  const [times, setTimes] = useState(0)
  const opener = useRef<HTMLElement | null>(null)

  /** Raises the panel and moves the focus into it. */
  const goToPanel = useCallback(() => setTimes((nth) => nth + 1), [])
  const select = useCallback(
    (name: string, items: readonly LocatedItem[]) => {
      setCard(null)
      setSelection({ name, ids: items.map(({ row }) => row.id) })
      goToPanel()
    },
    [goToPanel],
  )
  const openPin = useCallback(
    async (pin: Pin, element?: HTMLElement) => {
      opener.current = element ?? null
      if (pin.count === 1) return setCard(pin.item.row.id)
      select(pinSpot(pin, index), await ask.items(pin))
    },
    [ask, index, select],
  )
  const openSpot = async ({ name, pins }: Spot, element: HTMLElement) => {
    opener.current = element
    const items = (await Promise.all(pins.map((pin) => ask.items(pin)))).flat()
    select(
      name,
      items.toSorted((a, b) => newestFirst(a.row, b.row)),
    )
  }
  /** Closes both, and returns the focus to the opener; to the panel if the list has replaced the opener. */
  const close = () => {
    setSelection(null)
    setCard(null)
    if (opener.current?.isConnected) opener.current.focus({ preventScroll: true })
    else if (selection) goToPanel()
  }
  // Items that are filtered out, in the trash or without a location are no longer shown.
  const shown = card ? byId(card) : null
  if (card && !shown) setCard(null)
  const items = selection?.ids.flatMap((id) => byId(id) ?? []) ?? []
  return {
    spot: selection && items.length > 0 ? { ...selection, items } : null,
    card: shown,
    closeCard: useCallback(() => setCard(null), []),
    isOpen: (pin: Pin) => [card, selection?.ids[0]].includes(pin.item.row.id),
    /** Grows whenever something is opened. */
    times,
    goToPanel,
    openPin,
    openSpot,
    close,
  }
}
