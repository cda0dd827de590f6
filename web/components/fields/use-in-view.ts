import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls a list of options into view when it opens or changes its length, since a dialog may end right below the field. `length` is null while closed. */
export function useInView<E extends HTMLElement>(length: number | null): RefObject<E | null> {
  const list = useRef<E>(null)
  useEffect(() => {
    if (length !== null) list.current?.scrollIntoView({ block: 'nearest' })
  }, [length])
  return list
}
