import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { ScrollPosition } from '../../lib/scroll/anchor.ts'

/** Space above the target, in pixels. */
const HEADROOM = 72

interface Options {
  /** The list is laid out. */
  ready: boolean
  /** Whether the list has this day yet. */
  has: (day: string) => boolean
  go: (position: ScrollPosition) => void
}

/** Scrolls to the day in the URL (`#day-2024-03-15`), once for each navigation to it. */
export function useLinkedDay({ ready, has, go }: Options): void {
  const { hash, key } = useLocation()
  const done = useRef<string | null>(null)
  useEffect(() => {
    const day = /^#day-(\d{4}-\d\d-\d\d)$/.exec(hash)?.[1]
    if (!ready || !day || done.current === key || !has(day)) return
    done.current = key
    go({ key: '', below: HEADROOM, day })
  }, [hash, key, ready, has, go])
}
