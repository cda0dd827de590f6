import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/** Stores the heights of elements; returns whether any has changed. */
type Measure = (elements: Iterable<HTMLElement>) => boolean

/**
 * Measures elements before their first paint, whenever they are resized, and all of them when `known`, the measurements so far, is replaced: their
 * sizes have changed before that. `ref` goes to each of them.
 */
export function useMeasured(
  measure: Measure,
  known: object,
  setGeneration: (next: (generation: number) => number) => void,
): RefCallback<HTMLElement> {
  const drawn = useRef(new Set<HTMLElement>())
  const last = useRef(known)
  // Elements that were mounted before are left to the observer: measuring them again would force a second layout.
  const fresh = useRef(new Set<HTMLElement>())
  const observer = useRef<ResizeObserver | null>(null)
  const current = useRef(measure)
  useLayoutEffect(() => {
    current.current = measure
    const pending = known === last.current ? fresh.current : drawn.current
    last.current = known
    if (pending.size === 0) return
    if (measure(pending)) setGeneration((generation) => generation + 1)
    fresh.current.clear()
  })
  useEffect(() => () => observer.current?.disconnect(), [])
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      observer.current ??= new ResizeObserver((seen) => {
        const rows = seen.map(({ target }) => target).filter((target) => target instanceof HTMLElement && target.isConnected)
        if (current.current(rows as HTMLElement[])) flushSync(() => setGeneration((generation) => generation + 1))
      })
      observer.current.observe(element)
      fresh.current.add(element)
      drawn.current.add(element)
      return () => {
        observer.current?.unobserve(element)
        fresh.current.delete(element)
        drawn.current.delete(element)
      }
    },
    [setGeneration],
  )
}
