import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/** Takes in how high elements are; tells whether any is not as it was. */
type Measure = (elements: Iterable<HTMLElement>) => boolean

/** Measures elements before they are first painted, and whenever they change their size. `ref` goes to each of them. */
export function useMeasured(measure: Measure, setTurn: (next: (turn: number) => number) => void): RefCallback<HTMLElement> {
  // Those that were there before are left to the observer: asking them again would make the browser lay everything out twice.
  const fresh = useRef(new Set<HTMLElement>())
  const observer = useRef<ResizeObserver | null>(null)
  const current = useRef(measure)
  useLayoutEffect(() => {
    current.current = measure
    if (fresh.current.size === 0) return
    if (measure(fresh.current)) setTurn((turn) => turn + 1)
    fresh.current.clear()
  })
  useEffect(() => () => observer.current?.disconnect(), [])
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      observer.current ??= new ResizeObserver((seen) => {
        const rows = seen.map(({ target }) => target).filter((target) => target instanceof HTMLElement && target.isConnected)
        if (current.current(rows as HTMLElement[])) flushSync(() => setTurn((turn) => turn + 1))
      })
      observer.current.observe(element)
      fresh.current.add(element)
      return () => {
        observer.current?.unobserve(element)
        fresh.current.delete(element)
      }
    },
    [setTurn],
  )
}
