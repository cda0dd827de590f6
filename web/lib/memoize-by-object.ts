/** Computes a value once for each object, and keeps it for as long as the object. */
export function memoizeByObject<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { value: V }>()
  return (of) => {
    let known = made.get(of)
    if (!known) {
      known = { value: make(of) }
      made.set(of, known)
    }
    return known.value
  }
}
