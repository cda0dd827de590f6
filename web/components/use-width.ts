import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * The width of an element; before it is known what it will be as far as somebody knows, or 0. It is measured before the first drawing,
 * which holds that up, or `after` it where what is known is surely right.
 */
export function useWidth(ref: RefObject<HTMLElement | null>, foreseen = 0, after = false): number {
  const [width, setWidth] = useState(foreseen)
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
