import { describe, expect, test } from 'vitest'
import { boundsOf, formatPosition, parsePosition, wrapLongitude } from './position.ts'

describe('Map position in a URL', () => {
  test('A position is read as it was written', () => {
    const at = { lat: 48.21, lon: 16.37, zoom: 9.5 }
    expect(parsePosition(formatPosition(at))).toEqual(at)
  })

  test.each([null, '', '1,2', '1,2,3,4', 'a,b,c', '91,0,3', '0,181,3', '0,0,-2', '0,0,99', 'NaN,0,1', '1e3,0,1', '0,0,', ' 1,2,3'])(
    'The text %j is no position',
    (text) => {
      expect(parsePosition(text)).toBeNull()
    },
  )

  test('A position is kept away from the poles and within one turn round the globe', () => {
    expect(parsePosition('90,180,2')).toEqual({ lat: 85, lon: 180, zoom: 2 })
    expect(formatPosition({ lat: -89, lon: 190, zoom: 6 })).toBe('-85,-170,6')
    expect(formatPosition({ lat: -0.0001, lon: 0, zoom: 2 })).toBe('0,0,2')
    expect(wrapLongitude(-540)).toBe(-180)
  })
})

describe('Bounds of points', () => {
  test('Bounds cross the date line where that is shorter', () => {
    expect(
      boundsOf([
        { lat: -17, lon: 178 },
        { lat: -14, lon: -171 },
      ]),
    ).toEqual([178, -17, 189, -14])
  })

  test('Bounds of one point are that point, and of none are null', () => {
    expect(boundsOf([{ lat: 10, lon: 20 }])).toEqual([20, 10, 20, 10])
    expect(boundsOf([])).toBeNull()
  })

  test('Bounds of points with the same longitude have no width', () => {
    for (const lon of [16.4, -0.1, 179.9, -179.9])
      expect(
        boundsOf([
          { lat: 48, lon },
          { lat: 49, lon },
        ]),
      ).toEqual([lon, 48, lon, 49])
  })

  test('Bounds elsewhere are the plain rectangle', () => {
    expect(
      boundsOf([
        { lat: 40, lon: -74 },
        { lat: 51, lon: 0 },
        { lat: 35, lon: 139 },
      ]),
    ).toEqual([-74, 35, 139, 51])
  })
})
