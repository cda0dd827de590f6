import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls a list of options into view when it opens and when its length changes: a dialog may end right below the field. */
export function useInView<E extends HTMLElement>(open: boolean, length: number): RefObject<E | null> {
  const list = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list may reach out of sight again
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open, length])
  return list
}
