import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { kindBit, type PlacedItem } from '../../atoms/map.ts'
import { ClusterClient } from '../../lib/map/cluster-client.ts'
import type { Cluster } from '../../lib/map/clusters.ts'
import type { MapLibreMap } from '../../lib/map/maplibre.ts'
import type { Bounds } from '../../lib/map/position.ts'

/** While the map moves, pins follow this often, in milliseconds. */
const PACE = 250

/** Pixels that a pin is wide. */
const PIN = 48

/** A cluster, or a single item where `count` is 1, with the item whose picture it wears. */
export interface Pin extends Cluster {
  item: PlacedItem
  /** The list that the cluster's indexes belong to. */
  of: readonly PlacedItem[]
}

/** What is on the screen, found by a worker whenever the map or the items have changed. */
export function useClusters(map: MapLibreMap | null, items: readonly PlacedItem[]) {
  const [pins, setPins] = useState<Pin[]>([])
  const [client, setClient] = useState<ClusterClient | null>(null)
  const loaded = useRef<readonly PlacedItem[]>([])

  useEffect(() => {
    const opened = new ClusterClient()
    setClient(opened)
    return () => opened.close()
  }, [])

  const look = useCallback(async () => {
    if (!client || !map) return
    // Answers come in the order of the questions, so this is the list that they will be about.
    const of = loaded.current
    const clusters = await client.within(boundsOf(map), map.getZoom())
    if (of !== loaded.current) return
    // Not at the expense of the frames of a map that moves.
    startTransition(() => setPins((before) => pinsOf(clusters, of, before)))
  }, [client, map])

  useEffect(() => {
    if (!client) return
    loaded.current = items
    const [lonLat, kinds] = pointsOf(items)
    void client.load(lonLat, kinds)
    void look()
  }, [client, items, look])

  useEffect(() => {
    if (!map) return
    let next = 0
    const now = () => {
      next = performance.now() + PACE
      void look()
    }
    const paced = () => performance.now() > next && now()
    map.on('move', paced)
    map.on('moveend', now)
    map.on('resize', now)
    return () => {
      map.off('move', paced)
      map.off('moveend', now)
      map.off('resize', now)
    }
  }, [map, look])

  const ask = useMemo(() => {
    /** What stands there now, where the content has changed since the pin was drawn. */
    const current = async (pin: Pin): Promise<Pin | undefined> => {
      const of = loaded.current
      if (pin.of === of || !client || !map) return pin
      const pins = pinsOf(await client.within(boundsOf(map), map.getZoom()), of, [])
      return of === loaded.current ? (pins.find(({ item }) => item.row.id === pin.item.row.id) ?? nearest(map, pins, pin)) : current(pin)
    }
    return {
      /** Items of a pin, the newest first. */
      async items(pin: Pin): Promise<PlacedItem[]> {
        if (pin.count === 1) return [pin.item]
        const now = await current(pin)
        if (!now || now.count === 1) return now ? [now.item] : []
        return ((await client?.points(now.id)) ?? []).flatMap((index) => now.of[index] ?? [])
      },
      async splitsAt(pin: Pin): Promise<number> {
        const now = await current(pin)
        return (now && (await client?.splitsAt(now.id))) ?? 0
      },
    }
  }, [client, map])
  return { pins, ask }
}

/** Those that are as they were stay the same objects, and the list itself where all of them are. */
function pinsOf(clusters: readonly Cluster[], of: readonly PlacedItem[], before: Pin[]): Pin[] {
  const known = new Map(before.filter((pin) => pin.of === of).map((pin) => [pin.id, pin]))
  const pins = clusters.flatMap((cluster): Pin[] => {
    const item = of[cluster.newest]
    const held = known.get(cluster.id)
    // The same points at another zoom may be called the same.
    if (held && held.count === cluster.count && held.newest === cluster.newest && held.lat === cluster.lat && held.lon === cluster.lon)
      return [held]
    return item ? [{ ...cluster, item, of }] : []
  })
  return pins.length === before.length && pins.every((pin, at) => pin === before[at]) ? before : pins
}

/** The one that stands where this one stood, if any does. */
function nearest(map: MapLibreMap, pins: readonly Pin[], { lat, lon }: Pin): Pin | undefined {
  const here = map.project([lon, lat])
  const away = (pin: Pin) => map.project([pin.lon, pin.lat]).dist(here)
  const [first] = pins.toSorted((a, b) => away(a) - away(b))
  return first && away(first) <= PIN ? first : undefined
}

function pointsOf(items: readonly PlacedItem[]): [Float64Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const lonLat = new Float64Array(items.length * 2)
  const kinds = new Uint8Array(items.length)
  for (const [index, item] of items.entries()) {
    lonLat[index * 2] = item.row.location.lon
    lonLat[index * 2 + 1] = item.row.location.lat
    kinds[index] = kindBit(item)
  }
  return [lonLat, kinds]
}

/** A little more than what is seen, for pins whose edge is. */
function boundsOf(map: MapLibreMap): Bounds {
  const bounds = map.getBounds()
  const [wide, high] = [(bounds.getEast() - bounds.getWest()) * 0.03, (bounds.getNorth() - bounds.getSouth()) * 0.03]
  return [bounds.getWest() - wide, bounds.getSouth() - high, bounds.getEast() + wide, bounds.getNorth() + high]
}
