import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { ScrollPosition } from '../../lib/scroll/anchor.ts'

/** Space above the target, in pixels. */
export const HEADROOM = 72

interface Options {
  /** The list is laid out. */
  ready: boolean
  /** The position that the hash of the URL names; null while the list does not have it. */
  find: (hash: string) => ScrollPosition | null
  go: (position: ScrollPosition) => void
}

/** Scrolls to what the hash of the URL names, once for each navigation to it. */
export function useLinked({ ready, find, go }: Options): void {
  const { hash, key } = useLocation()
  const done = useRef<string | null>(null)
  useEffect(() => {
    const position = ready && done.current !== key ? find(hash) : null
    if (!position) return
    done.current = key
    go(position)
  }, [hash, key, ready, find, go])
}
