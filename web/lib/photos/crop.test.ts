import { expect, test } from 'vitest'
import { middleOf, moved, zoomed, zoomOf } from './crop.ts'

const image = { width: 400, height: 200 }

test('A crop begins as the largest square in the middle', () => {
  expect(middleOf(image)).toEqual({ x: 100, y: 0, size: 200 })
})

test('A crop is moved by parts of its size and stays inside the image', () => {
  const start = middleOf(image)
  expect(moved(start, image, 0.25, 0.25)).toEqual({ x: 150, y: 0, size: 200 })
  expect(moved(start, image, 9, -9)).toEqual({ x: 200, y: 0, size: 200 })
  expect(moved(start, image, -9, 0)).toEqual({ x: 0, y: 0, size: 200 })
})

test('Zooming keeps the middle of a crop, except at the edge of the image', () => {
  const close = zoomed(middleOf(image), image, 2)
  expect(close).toEqual({ x: 150, y: 50, size: 100 })
  expect(zoomOf(close, image)).toBe(2)
  const corner = moved(close, image, 9, 9)
  expect(zoomed(corner, image, 1)).toEqual({ x: 200, y: 0, size: 200 })
  expect(zoomed(close, image, 100).size).toBe(50)
  expect(zoomed(close, image, 0).size).toBe(200)
})
