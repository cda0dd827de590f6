import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * The width of an element; before it is measured, the `expected` width or 0. It is measured before the first paint, which delays that, or `after` it
 * where the expected width is certain.
 */
export function useWidth(ref: RefObject<HTMLElement | null>, expected = 0, after = false): number {
  const [width, setWidth] = useState(expected)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    if (!after) setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, after])
  return width
}
