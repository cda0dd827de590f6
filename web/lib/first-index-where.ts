/** First index at which `at` is true, for a predicate that is false up to some index and true from there on; `length` if it is never true. */
export function firstIndexWhere(length: number, at: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle)) high = middle
    else low = middle + 1
  }
  return low
}
