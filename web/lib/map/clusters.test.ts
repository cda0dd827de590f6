import { describe, expect, test } from 'vitest'
import { ClusterIndex } from './clusters.ts'
import { KIND_BITS } from './item-words.ts'
import { MAX_ZOOM } from './position.ts'

const WORLD = [-180, -85, 180, 85] as const
const indexOf = (...points: [lat: number, lon: number][]) =>
  new ClusterIndex(
    Float64Array.from(points.flatMap(([lat, lon]) => [lon, lat])),
    Uint8Array.from(points.map((_, nth) => (nth === 0 ? KIND_BITS.post : KIND_BITS.photo))),
  )

describe('Map clusters', () => {
  test('A cluster shows its newest point, which is first in the list', () => {
    const index = indexOf([35.01, 135.76], [48.2, 16.37], [35.02, 135.77], [35.0, 135.75])
    const [kyoto, vienna] = index.within([...WORLD], 3)
    expect(kyoto).toMatchObject({ count: 3, newest: 0, kinds: KIND_BITS.post | KIND_BITS.photo })
    expect(vienna).toMatchObject({ id: 'p1', count: 1, newest: 1 })
    expect(index.points(kyoto?.id ?? '')).toEqual([0, 2, 3])
    expect(index.splitsAt(kyoto?.id ?? '')).toBeGreaterThan(3)
  })

  test('Points at the same coordinates never split', () => {
    const index = indexOf([10, 20], [10, 20], [10, 20])
    const [only] = index.within([...WORLD], MAX_ZOOM)
    expect(only).toMatchObject({ count: 3, newest: 0 })
    expect(index.splitsAt(only?.id ?? '')).toBeGreaterThan(MAX_ZOOM)
  })

  test('Clusters are found across the date line and more than once round the globe', () => {
    const index = indexOf([-17, 179], [-14, -172])
    expect(index.within([170, -30, 195, 0], 6)).toHaveLength(2)
    expect(index.within([-400, -80, 300, 80], 6)).toHaveLength(2)
    expect(index.within([0, -30, 90, 0], 6)).toHaveLength(0)
  })

  test('The index covers the poles and a hundred thousand points', () => {
    const points = Array.from({ length: 100_000 }, (_, n): [number, number] => [
      ((n * 7919) % 18_000) / 100 - 90,
      ((n * 104_729) % 36_000) / 100 - 180,
    ])
    const clusters = indexOf([90, 0], [-90, 0], ...points).within([-180, -90, 180, 90], 1)
    expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(100_002)
  })
})
