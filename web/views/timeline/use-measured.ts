import { type RefCallback, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/** Takes in how high elements are; tells whether any is not as it was. */
type Measure = (elements: Iterable<HTMLElement>) => boolean

/**
 * Measures elements before they are first painted, whenever they change their size, and all of them where what was measured so far, `known`,
 * has given way to something else: their sizes have changed before that. `ref` goes to each of them.
 */
export function useMeasured(measure: Measure, known: object, setTurn: (next: (turn: number) => number) => void): RefCallback<HTMLElement> {
  const drawn = useRef(new Set<HTMLElement>())
  const last = useRef(known)
  // Those that were there before are left to the observer: asking them again would make the browser lay everything out twice.
  const fresh = useRef(new Set<HTMLElement>())
  const observer = useRef<ResizeObserver | null>(null)
  const current = useRef(measure)
  useLayoutEffect(() => {
    current.current = measure
    const asked = known === last.current ? fresh.current : drawn.current
    last.current = known
    if (asked.size === 0) return
    if (measure(asked)) setTurn((turn) => turn + 1)
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
      drawn.current.add(element)
      return () => {
        observer.current?.unobserve(element)
        fresh.current.delete(element)
        drawn.current.delete(element)
      }
    },
    [setTurn],
  )
}
