import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { indexPlaces, placeName } from './location-search.ts'

const index = indexPlaces(readFileSync(new URL('./places.txt', import.meta.url), 'utf8'))
const names = (text: string) => index.search(text).map(placeName)
const near = (lat: number, lon: number) => index.nearest(lat, lon)?.name

describe('searching for a place', () => {
  test('finds the largest first, whatever the case and the marks', () => {
    expect(names('kyoto')[0]).toBe('Kyoto, Japan')
    expect(names('ZURICH')[0]).toMatch(/^Zürich/)
    expect(names('lodz')[0]).toMatch(/^Łódź/)
    expect(names('paris')[0]).toBe('Paris, France')
  })

  test('takes the country or state behind a comma', () => {
    expect(names('paris, us')[0]).toBe('Paris, TX, United States')
    expect(names('springfield, il')[0]).toBe('Springfield, IL, United States')
  })

  test('finds nothing for nothing', () => {
    expect(names('')).toEqual([])
    expect(names(' , ')).toEqual([])
    expect(names('zzzzzz')).toEqual([])
  })
})

describe('the nearest place', () => {
  test.each([
    [35.011, 135.768, 'Kyoto'],
    [48.2, 16.37, 'Vienna'],
    [69.65, 18.95, 'Tromsø'],
    [-16.8, 179.99, 'Labasa'],
  ])('of %d, %d is %s', (lat, lon, name) => {
    expect(near(lat, lon)).toBe(name)
  })

  test('is none in the middle of nowhere', () => {
    expect(near(-48.9, -123.4)).toBeUndefined()
    expect(near(90, 0)).toBeUndefined()
    expect(near(-90, 180)).toBeUndefined()
  })
})
