/** What a function makes of an object, made once and kept as long as the object is. */
export function perObject<K extends object, V>(make: (of: K) => V): (of: K) => V {
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
