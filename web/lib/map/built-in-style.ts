import type { ExpressionSpecification, StyleSpecification } from 'maplibre-gl'
import basemapUrl from './basemap.json?url'
import type { MapColors } from './colors.ts'
import labelsUrl from './labels.json?url'

/** Beyond this zoom, the 1:50 million coastline is too coarse. */
export const BUILT_IN_MAX_ZOOM = 10

const ATTRIBUTION =
  '<a href="https://www.naturalearthdata.com/" target="_blank" rel="noreferrer">Natural Earth</a> · ' +
  '© <a href="https://www.geonames.org/" target="_blank" rel="noreferrer">GeoNames</a>, ' +
  '<a href="https://creativecommons.org/licenses/by/4.0/" target="_blank" rel="noreferrer">CC BY 4.0</a>'

/** Number of ranks shown at each zoom: the rest is left out even where there is room. */
const CITIES: ExpressionSpecification = ['step', ['zoom'], 0, 2.2, 14, 3, 50, 4, 220, 5, 1200, 6, 3500, 7, 6000]
const COUNTRIES: ExpressionSpecification = ['step', ['zoom'], 12, 2, 28, 3, 90, 4, 300]
/** Local fonts: there are no glyph files to fetch. */
const FONT = ['Figtree Variable']

/** Land, borders and names from files of the app itself. Needs no other network requests. */
export function builtInStyle(colors: MapColors): StyleSpecification {
  return {
    version: 8,
    sources: {
      world: { type: 'geojson', data: absolute(basemapUrl), maxzoom: 8, attribution: ATTRIBUTION },
      names: { type: 'geojson', data: absolute(labelsUrl), maxzoom: 8 },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colors.water } },
      { id: 'land', type: 'fill', source: 'world', filter: ['==', ['get', 'kind'], 'land'], paint: { 'fill-color': colors.land } },
      {
        id: 'borders',
        type: 'line',
        source: 'world',
        filter: ['==', ['get', 'kind'], 'border'],
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colors.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.4] },
      },
      {
        id: 'countries',
        type: 'symbol',
        source: 'names',
        maxzoom: 6,
        filter: ['all', ['==', ['get', 'kind'], 'country'], ['<', ['get', 'rank'], COUNTRIES]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 5, 14],
          'text-letter-spacing': 0.06,
          'text-max-width': 7,
          'text-padding': 6,
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { 'text-color': colors.country, 'text-halo-color': colors.land, 'text-halo-width': 1 },
      },
      {
        id: 'cities',
        type: 'symbol',
        source: 'names',
        filter: ['all', ['==', ['get', 'kind'], 'city'], ['<', ['get', 'rank'], CITIES]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': ['interpolate', ['linear'], ['zoom'], 3, 11, 8, ['case', ['<', ['get', 'rank'], 600], 14, 12]],
          'text-padding': ['interpolate', ['linear'], ['zoom'], 3, 14, 7, 6],
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { 'text-color': colors.city, 'text-halo-color': colors.land, 'text-halo-width': 1.2 },
      },
    ],
  }
}

/** The map's worker does not know the URL of the page. */
function absolute(url: string): string {
  return new URL(url, location.href).href
}
