import { useEffect } from 'react'
import type { BaseMap } from '../../components/map/use-base-map.ts'
import { readColors } from '../../lib/map/colors.ts'
import type { GeoJSONSource } from '../../lib/map/maplibre.ts'
import type { Pin } from './use-clusters.ts'

const SOURCE = 'own:rest'
const LAYER = 'own:rest'

/** Pins beyond those that are elements are painted as dots, which can also be clicked, unless clicks belong to the map. */
export function usePinDots(base: BaseMap | null, pins: readonly Pin[], onOpen: ((pin: Pin) => void) | null): void {
  useEffect(() => {
    if (!base) return
    const { map } = base
    const data = {
      type: 'FeatureCollection' as const,
      features: pins.map(({ lon, lat, count }, index) => ({
        type: 'Feature' as const,
        properties: { index, count },
        geometry: { type: 'Point' as const, coordinates: [lon, lat] },
      })),
    }
    const { accent, ring } = readColors()
    const source = map.getSource<GeoJSONSource>(SOURCE)
    if (source) {
      void source.setData(data)
      if (map.getPaintProperty(LAYER, 'circle-color') !== accent) map.setPaintProperty(LAYER, 'circle-color', accent)
      if (map.getPaintProperty(LAYER, 'circle-stroke-color') !== ring) map.setPaintProperty(LAYER, 'circle-stroke-color', ring)
    } else if (pins.length > 0) {
      map.addSource(SOURCE, { type: 'geojson', data })
      map.addLayer({
        id: LAYER,
        type: 'circle',
        source: SOURCE,
        paint: {
          'circle-color': accent,
          'circle-stroke-color': ring,
          'circle-stroke-width': 1.5,
          'circle-radius': ['interpolate', ['linear'], ['get', 'count'], 1, 5, 50, 9, 1000, 13],
        },
      })
    }
  }, [base, pins])

  useEffect(() => {
    if (!base || !onOpen) return
    const { map } = base
    const open = ({ features }: { features?: { properties: { index?: unknown } }[] }) => {
      const pin = pins[Number(features?.[0]?.properties.index)]
      if (pin) onOpen(pin)
    }
    map.on('click', LAYER, open)
    return () => {
      map.off('click', LAYER, open)
    }
  }, [base, pins, onOpen])
}
