import Supercluster from 'supercluster'
import type { Bounds } from './position.ts'
import { MAX_ZOOM } from './position.ts'

/** Minimum pixels between the centres of two clusters: room for a photo each. */
const RADIUS = 66
/** A request covers the screen; even the whole world at any zoom has far fewer. */
const MAX_CLUSTERS = 2_000

/**
 * One cluster or one point. `id` stays the same between requests as long as it covers the same points; `newest` is the index of its first
 * point, which is the newest when the points are newest first. `count` is 1 for a single point.
 */
export interface Cluster {
  id: string
  lat: number
  lon: number
  count: number
  newest: number
  /** Bits of KIND_BITS: the kinds it contains. */
  kinds: number
}

type Single = { index: number; kind: number }
type Merged = { newest: number; kinds: number }

/** Points in clusters at every zoom. Points at the same coordinates stay together at any zoom. */
export class ClusterIndex {
  readonly #index = new Supercluster<Single, Merged>({
    radius: RADIUS,
    maxZoom: MAX_ZOOM + 1,
    map: ({ index, kind }) => ({ newest: index, kinds: kind }),
    reduce: (merged, { newest, kinds }) => {
      merged.kinds |= kinds
      merged.newest = Math.min(merged.newest, newest)
    },
  })

  /** `lonLat` alternates longitude and latitude; `kinds` has a bit of KIND_BITS for each point. */
  constructor(lonLat: Float64Array, kinds: Uint8Array) {
    const features = Array.from({ length: lonLat.length / 2 }, (_, index) => ({
      type: 'Feature' as const,
      properties: { index, kind: kinds[index] ?? 0 },
      geometry: { type: 'Point' as const, coordinates: [lonLat[index * 2] ?? 0, lonLat[index * 2 + 1] ?? 0] },
    }))
    this.#index.load(features)
  }

  /** The largest first. `bounds` may cross the date line or wrap round the globe more than once. */
  within(bounds: Bounds, zoom: number): Cluster[] {
    const [west, south, east, north] = bounds
    const found = this.#index.getClusters(east - west >= 360 ? [-180, south, 180, north] : [west, south, east, north], Math.floor(zoom))
    return found
      .map(({ properties, geometry }): Cluster => {
        const [lon = 0, lat = 0] = geometry.coordinates
        return 'cluster_id' in properties
          ? { id: `c${properties.cluster_id}`, lat, lon, count: properties.point_count, newest: properties.newest, kinds: properties.kinds }
          : { id: `p${properties.index}`, lat, lon, count: 1, newest: properties.index, kinds: properties.kind }
      })
      .toSorted((a, b) => b.count - a.count || a.newest - b.newest)
      .slice(0, MAX_CLUSTERS)
  }

  /** Indexes of the points of a cluster, the newest first. */
  points(id: string): number[] {
    if (id.startsWith('p')) return [Number(id.slice(1))]
    return this.#index
      .getLeaves(Number(id.slice(1)), Number.POSITIVE_INFINITY)
      .map(({ properties }) => properties.index)
      .toSorted((a, b) => a - b)
  }

  /** Zoom at which a cluster splits; beyond MAX_ZOOM for one that never does. */
  splitsAt(id: string): number {
    return this.#index.getClusterExpansionZoom(Number(id.slice(1)))
  }
}
