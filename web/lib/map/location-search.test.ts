import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { indexPlaces, placeName } from './location-search.ts'

const index = indexPlaces(readFileSync(new URL('./places.txt', import.meta.url), 'utf8'))
const names = (text: string) => index.search(text).map(placeName)
const near = (lat: number, lon: number) => index.nearest(lat, lon)?.name

describe('Search for a town', () => {
  test('The largest town comes first, whatever the case and the accents', () => {
    expect(names('kyoto')[0]).toBe('Kyoto, Japan')
    expect(names('ZURICH')[0]).toMatch(/^Zürich/)
    expect(names('lodz')[0]).toMatch(/^Łódź/)
    expect(names('paris')[0]).toBe('Paris, France')
  })

  test('A country or state after a comma narrows the search', () => {
    expect(names('paris, us')[0]).toBe('Paris, TX, United States')
    expect(names('springfield, il')[0]).toBe('Springfield, IL, United States')
  })

  test('A town with two names is found by either', () => {
    expect(names('san sebastian')[0]).toMatch(/^Donostia \/ San Sebastián/)
    expect(names('donostia')[0]).toMatch(/^Donostia \/ San Sebastián/)
  })

  test('Commas of other scripts are commas', () => {
    for (const comma of ['،', '、', '，']) expect(names(`paris${comma}us`)).toEqual(names('paris, us'))
  })

  test('An empty search finds nothing', () => {
    expect(names('')).toEqual([])
    expect(names(' , ')).toEqual([])
    expect(names('zzzzzz')).toEqual([])
  })
})

describe('The nearest town', () => {
  test.each([
    [35.011, 135.768, 'Kyoto'],
    [48.2, 16.37, 'Vienna'],
    [69.65, 18.95, 'Tromsø'],
    [-16.8, 179.99, 'Labasa'],
  ])('The nearest town to %d, %d is %s', (lat, lon, name) => {
    expect(near(lat, lon)).toBe(name)
  })

  test('Far from any town there is no result', () => {
    expect(near(-48.9, -123.4)).toBeUndefined()
    expect(near(90, 0)).toBeUndefined()
    expect(near(-90, 180)).toBeUndefined()
  })
})
