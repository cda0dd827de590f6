export type Position = [lon: number, lat: number]
type Ring = Position[]
type Geometry = { properties?: { name: string } } & (
  | { type: 'Polygon'; arcs: number[][] }
  | { type: 'MultiPolygon'; arcs: number[][][] }
  | { type: 'GeometryCollection'; geometries: Geometry[] }
)

export interface Topology {
  transform: { scale: Position; translate: Position }
  arcs: Position[][]
  objects: Record<string, Geometry>
}

/** Square degrees. Smaller islands are not visible even at the deepest zoom. */
const DUST = 0.002

/**
 * Polygons of a TopoJSON object for a flat map. The rings of world-atlas are stitched for a globe: they jump across the date line and run
 * round the pole, and a flat map would fill the wrong side. Each ring is unwrapped, closed over the pole, and wound as GeoJSON requires.
 */
export function polygonsOf(topology: Topology, name: string): Ring[][] {
  const arcs = decode(topology)
  return polygonArcs(topology.objects[name]).flatMap((polygon) => {
    const [first, ...holes] = polygon.map((ring) => closeOverPole(unwrap(join(ring, arcs))))
    if (!first || Math.abs(area(first)) < DUST) return []
    const outer = turned(first, -360 * Math.round(middle(first) / 360))
    const inside = holes.filter((hole) => Math.abs(area(hole)) >= DUST).map((hole) => wind(beside(hole, outer), false))
    return [[wind(outer, true), ...inside].map(rounded)]
  })
}

/** Lines shared by two countries. Coasts are already drawn as the outline of the land. */
export function bordersOf(topology: Topology, name: string): Ring[] {
  const arcs = decode(topology)
  const countries = topology.objects[name]
  const owners = new Map<number, Set<number>>()
  const parts = countries?.type === 'GeometryCollection' ? countries.geometries : []
  for (const [country, geometry] of parts.entries()) {
    for (const arc of polygonArcs(geometry).flat(2)) {
      const index = arc < 0 ? ~arc : arc
      owners.set(index, (owners.get(index) ?? new Set()).add(country))
    }
  }
  return [...owners].filter(([, of]) => of.size > 1).map(([index]) => rounded(unwrap(arcs[index] ?? [])))
}

/** The centre of each country's largest part, and the size of that part in square degrees. */
export function middlesOf(topology: Topology, name: string): { name: string; at: Position; size: number }[] {
  const arcs = decode(topology)
  const countries = topology.objects[name]
  const parts = countries?.type === 'GeometryCollection' ? countries.geometries : []
  return parts.flatMap((geometry) => {
    const rings = polygonArcs(geometry).map(([outer]) => unwrap(join(outer ?? [], arcs)))
    const largest = rings.toSorted((a, b) => Math.abs(area(b)) - Math.abs(area(a)))[0]
    if (!largest || !geometry.properties) return []
    return [{ name: geometry.properties.name, at: centroid(largest), size: Math.abs(area(largest)) }]
  })
}

function centroid(ring: Ring): Position {
  let [x, y, twice] = [0, 0, 0]
  for (const [index, [lon, lat]] of ring.entries()) {
    const [nextLon, nextLat] = ring[(index + 1) % ring.length] ?? [lon, lat]
    const cross = lon * nextLat - nextLon * lat
    twice += cross
    x += (lon + nextLon) * cross
    y += (lat + nextLat) * cross
  }
  return [x / (3 * twice), y / (3 * twice)]
}

function polygonArcs(geometry: Geometry | undefined): number[][][] {
  if (geometry?.type === 'Polygon') return [geometry.arcs]
  if (geometry?.type === 'MultiPolygon') return geometry.arcs
  return geometry?.type === 'GeometryCollection' ? geometry.geometries.flatMap(polygonArcs) : []
}

function decode({ transform: { scale, translate }, arcs }: Topology): Ring[] {
  return arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Position => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
}

function join(indexes: number[], arcs: Ring[]): Ring {
  return indexes.flatMap((index, nth) => {
    const arc = index < 0 ? (arcs[~index] ?? []).toReversed() : (arcs[index] ?? [])
    return nth === 0 ? arc : arc.slice(1)
  })
}

/** No step is longer than 180°, so a ring across the date line continues beyond ±180°. */
function unwrap(ring: Ring): Ring {
  let turn = 0
  return ring.map(([lon, lat], index): Position => {
    const before = ring[index - 1]?.[0] ?? lon
    if (lon - before > 180) turn -= 360
    if (lon - before < -180) turn += 360
    return [lon + turn, lat]
  })
}

/** A ring that ends a full turn from its start encloses a pole: it is closed along the edge of the map. */
function closeOverPole(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)]
  if (!first || !last || Math.abs(last[0] - first[0]) < 180) return ring
  const pole = first[1] < 0 ? -90 : 90
  return [...ring, [last[0], pole], [first[0], pole], first]
}

/** Shifts a hole by full turns until it lies within its outer ring. */
function beside(hole: Ring, outer: Ring): Ring {
  return turned(hole, 360 * Math.round((middle(outer) - middle(hole)) / 360))
}

function turned(ring: Ring, degrees: number): Ring {
  return degrees === 0 ? ring : ring.map(([lon, lat]): Position => [lon + degrees, lat])
}

/** The longitude halfway between the west and east ends. */
function middle(ring: Ring): number {
  const [west, east] = ring.reduce(([least, most], [lon]) => [Math.min(least, lon), Math.max(most, lon)], [Infinity, -Infinity])
  return (west + east) / 2
}

/** Winds outer rings counter-clockwise and holes clockwise (RFC 7946). */
function wind(ring: Ring, counterClockwise: boolean): Ring {
  return area(ring) > 0 === counterClockwise ? ring : ring.toReversed()
}

/** Square degrees; positive for counter-clockwise rings. */
function area(ring: Ring): number {
  let twice = 0
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y]
    twice += x * nextY - nextX * y
  }
  return twice / 2
}

/** Rounds to a hundredth of a degree, about a kilometre: finer than the source. Drops points that become equal. */
function rounded(ring: Ring): Ring {
  const points = ring.map(([lon, lat]): Position => [Math.round(lon * 100) / 100, Math.round(lat * 100) / 100])
  return points.filter(([lon, lat], index) => index === 0 || lon !== points[index - 1]?.[0] || lat !== points[index - 1]?.[1])
}
