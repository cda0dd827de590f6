import { type Dated, newestFirst } from './order.ts'

export interface RowDiff<T> {
  gone: T[]
  came: T[]
}

/**
 * Rows removed and added from one list to the next, both in the order of `newestFirst`. Rows never change once received, so they are
 * compared by identity, and examined only where the lists differ: comparing 100,000 costs next to nothing.
 */
export function diffRows<T extends Dated>(before: readonly T[], after: readonly T[]): RowDiff<T> {
  const diff: RowDiff<T> = { gone: [], came: [] }
  if (before === after) return diff
  let [at, next] = [0, 0]
  while (at < before.length && next < after.length) {
    const [old, now] = [before[at] as T, after[next] as T]
    if (old === now) {
      at++
      next++
      continue
    }
    const order = newestFirst(old, now)
    if (order <= 0) {
      diff.gone.push(old)
      at++
    }
    if (order >= 0) {
      diff.came.push(now)
      next++
    }
  }
  for (; at < before.length; at++) diff.gone.push(before[at] as T)
  for (; next < after.length; next++) diff.came.push(after[next] as T)
  return diff
}
