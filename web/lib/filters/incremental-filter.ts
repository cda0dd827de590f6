import { diffRows } from '../content/diff.ts'
import { followed } from '../content/merge.ts'
import type { Dated } from '../content/order.ts'

/** Accepts or rejects rows; null accepts all of them. The same function as long as it accepts the same rows. */
export type Test<T> = ((row: T) => boolean) | null

/** Rejects all rows; recognised by identity, so that it need not be called for each. */
export const nothing = () => false

/** Filters a list; afterwards only the rows that differ from the previous list are tested. */
export function createFilter<T extends Dated>(): (items: T[], test: Test<T>) => T[] {
  let last: { items: T[]; test: Test<T>; result: T[] } | null = null
  return (items, test) => {
    if (test === null) {
      last = null
      return items
    }
    const result =
      last?.test === test ? following(last.result, test, diffRows(last.items, items)) : test === nothing ? [] : items.filter(test)
    last = { items, test, result }
    return result
  }
}

function following<T extends Dated>(result: T[], test: (row: T) => boolean, diff: { gone: T[]; came: T[] }): T[] {
  const [gone, came] = [diff.gone.filter(test), diff.came.filter(test)]
  return gone.length + came.length === 0 ? result : followed(result, { gone, came })
}
