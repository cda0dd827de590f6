import { firstIndexWhere } from '../first-index-where.ts'

/** Tops of rows with these heights; one more than there are rows, the last being the end of all. */
export function topsOf(heights: ArrayLike<number>): Float64Array {
  const tops = new Float64Array(heights.length + 1)
  for (let i = 0; i < heights.length; i++) tops[i + 1] = (tops[i] ?? 0) + (heights[i] ?? 0)
  return tops
}

/** Rows that touch the range from `top` to `bottom`, as [first, last). */
export function rowsBetween(tops: Float64Array, top: number, bottom: number): [number, number] {
  const count = tops.length - 1
  return [firstIndexWhere(count, (i) => (tops[i + 1] ?? 0) > top), firstIndexWhere(count, (i) => (tops[i] ?? 0) >= bottom)]
}
