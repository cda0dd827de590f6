import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isLonger, kindBit, type LocatedItem } from '../../atoms/map.ts'
import { ClusterClient } from '../../lib/map/cluster-client.ts'
import type { Cluster } from '../../lib/map/clusters.ts'
import type { MapLibreMap } from '../../lib/map/maplibre.ts'
import type { Bounds } from '../../lib/map/position.ts'

/** Update interval of the pins while the map moves, in milliseconds. */
const PACE = 250

/** Width of a pin in pixels. */
const PIN = 48

/** A cluster, or a single item where `count` is 1, with the item that it shows. */
export interface Pin extends Cluster {
  item: LocatedItem
  /** The list that the cluster's indexes refer to. */
  of: readonly LocatedItem[]
}

const NONE: Pin[] = []

/** An answer of the web worker, and the list that it was about. */
interface Found {
  pins: Pin[]
  of: readonly LocatedItem[]
}

/** The pins on the screen, computed by a web worker whenever the map or the items change. `complete` if no more items are on their way, whether all of them came or not. */
export function useClusters(map: MapLibreMap | null, items: readonly LocatedItem[], complete: boolean) {
  const [found, setFound] = useState<Found | null>(null)
  const [client, setClient] = useState<ClusterClient | null>(null)
  const loaded = useRef<readonly LocatedItem[]>([])

  useEffect(() => {
    const opened = new ClusterClient()
    loaded.current = []
    setClient(opened)
    return () => opened.close()
  }, [])

  const look = useCallback(async () => {
    if (!client || !map) return
    // Answers arrive in the order of the requests, so this is the list that they will refer to.
    const of = loaded.current
    const clusters = await client.within(boundsOf(map), map.getZoom())
    if (of !== loaded.current) return
    // Must not cost frames while the map moves.
    startTransition(() => setFound((before) => foundOf(clusters, of, before)))
  }, [client, map])

  useEffect(() => {
    if (!client) return
    // Indexing every page of a large collection anew takes longer than loading it.
    if (!complete && items.length < loaded.current.length * 2 && isLonger(items, loaded.current)) return
    loaded.current = items
    const [lonLat, kinds] = pointsOf(items)
    void client.load(lonLat, kinds)
    void look()
  }, [client, items, complete, look])

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
    /** The pin at that point now, when the content has changed since it was rendered. */
    const current = async (pin: Pin): Promise<Pin | undefined> => {
      const of = loaded.current
      if (pin.of === of || !client || !map) return pin
      const pins = pinsOf(await client.within(boundsOf(map), map.getZoom()), of, [])
      return of === loaded.current ? (pins.find(({ item }) => item.row.id === pin.item.row.id) ?? nearest(map, pins, pin)) : current(pin)
    }
    return {
      /** Items of a pin, newest first. */
      async items(pin: Pin): Promise<LocatedItem[]> {
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
  // Until the first answer about items, the map does not know what is in view.
  const known = found !== null && (found.of.length > 0 || items.length === 0)
  return { pins: found?.pins ?? NONE, known, ask }
}

function foundOf(clusters: readonly Cluster[], of: readonly LocatedItem[], before: Found | null): Found {
  const pins = pinsOf(clusters, of, before?.pins ?? NONE)
  return pins === before?.pins && of === before.of ? before : { pins, of }
}

/** Unchanged pins stay the same objects, and so does the list when all of them are unchanged. */
function pinsOf(clusters: readonly Cluster[], of: readonly LocatedItem[], before: Pin[]): Pin[] {
  const known = new Map(before.filter((pin) => pin.of === of).map((pin) => [pin.id, pin]))
  const pins = clusters.flatMap((cluster): Pin[] => {
    const item = of[cluster.newest]
    const previous = known.get(cluster.id)
    // Ids of clusters are not unique across zoom levels.
    if (
      previous &&
      previous.count === cluster.count &&
      previous.newest === cluster.newest &&
      previous.lat === cluster.lat &&
      previous.lon === cluster.lon
    )
      return [previous]
    return item ? [{ ...cluster, item, of }] : []
  })
  return pins.length === before.length && pins.every((pin, at) => pin === before[at]) ? before : pins
}

/** The pin at the position of this one, if any. */
function nearest(map: MapLibreMap, pins: readonly Pin[], { lat, lon }: Pin): Pin | undefined {
  const here = map.project([lon, lat])
  const away = (pin: Pin) => map.project([pin.lon, pin.lat]).dist(here)
  const [first] = pins.toSorted((a, b) => away(a) - away(b))
  return first && away(first) <= PIN ? first : undefined
}

function pointsOf(items: readonly LocatedItem[]): [Float64Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const lonLat = new Float64Array(items.length * 2)
  const kinds = new Uint8Array(items.length)
  for (const [index, item] of items.entries()) {
    lonLat[index * 2] = item.row.location.lon
    lonLat[index * 2 + 1] = item.row.location.lat
    kinds[index] = kindBit(item)
  }
  return [lonLat, kinds]
}

/** Slightly larger than the visible area, for pins that overlap its edge. */
function boundsOf(map: MapLibreMap): Bounds {
  const bounds = map.getBounds()
  const [wide, high] = [(bounds.getEast() - bounds.getWest()) * 0.03, (bounds.getNorth() - bounds.getSouth()) * 0.03]
  return [bounds.getWest() - wide, bounds.getSouth() - high, bounds.getEast() + wide, bounds.getNorth() + high]
}
