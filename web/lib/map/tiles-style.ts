import { language_script_pairs, layers, namedFlavor } from '@protomaps/basemaps'
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { Protocol } from 'pmtiles'
import { shownLanguage } from '#language'
import type { MapColors } from './colors.ts'
import type { MapLibre } from './maplibre.ts'

const ATTRIBUTION =
  '<a href="https://protomaps.com" target="_blank" rel="noreferrer">Protomaps</a> · ' +
  '© <a href="https://openstreetmap.org/copyright" target="_blank" rel="noreferrer">OpenStreetMap</a>'

let known = false

/** The site's own tile archive in the colours of the app. Icons and glyphs are left out: they would have to be fetched from elsewhere. */
export function tilesStyle(library: MapLibre, url: string, colors: MapColors): StyleSpecification {
  if (!known) library.addProtocol('pmtiles', new Protocol().tile)
  known = true
  const { water, land, border, city, country } = colors
  const flavor = {
    ...namedFlavor(colors.dark ? 'dark' : 'light'),
    background: water,
    water,
    earth: land,
    boundaries: border,
    city_label: city,
    city_label_halo: land,
    country_label: country,
    state_label: country,
    state_label_halo: land,
  }
  return {
    version: 8,
    sources: { protomaps: { type: 'vector', url: `pmtiles://${new URL(url, location.href).href}`, attribution: ATTRIBUTION } },
    layers: layers('protomaps', flavor, { lang: namesIn(shownLanguage()) }).flatMap(withoutIcons),
  }
}

/** The language of the names that the tiles have for a language of the app. */
function namesIn(language: string): string {
  const [base] = language.split('-')
  return language_script_pairs.find(({ lang }) => lang === language || lang === base)?.lang ?? 'en'
}

function withoutIcons(layer: LayerSpecification): LayerSpecification[] {
  if (layer.type !== 'symbol') return [layer]
  const layout = Object.entries(layer.layout ?? {}).filter(([name]) => !name.startsWith('icon-') && name !== 'text-font')
  if (!layout.some(([name]) => name === 'text-field')) return []
  return [{ ...layer, layout: { ...Object.fromEntries(layout), 'text-font': ['Figtree Variable'] } }]
}
