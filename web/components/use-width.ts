import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element; before it is known what it will be as far as somebody knows, or 0. */
export function useWidth(ref: RefObject<HTMLElement | null>, foreseen = 0): number {
  const [width, setWidth] = useState(foreseen)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
