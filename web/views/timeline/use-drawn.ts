import { useLayoutEffect, useRef, useState } from 'react'
import type { TimelineEntry } from '../../lib/timeline/entries.ts'

/** So many rows that come at the same time are drawn at once; of more, so many in each frame. */
const AT_ONCE = 3

/**
 * Tells which rows on the screen are drawn. After a jump a whole screen of others is needed, which is more work than a frame has time
 * for: they come in the next frames, the uppermost in sight first, and none as long as every frame jumps. `top` is the row at the
 * screen's top.
 */
export function useDrawn(entries: readonly TimelineEntry[], [first, last]: readonly [number, number], top: number) {
  const drawn = useRef<ReadonlySet<string> | null>(null)
  const next = useRef<readonly string[]>([])
  const [, setTurn] = useState(0)
  const shown = [...entries.slice(Math.max(top, first), last), ...entries.slice(first, Math.max(top, first))].filter(isWork)
  const missing = shown.map(({ key }) => key).filter((key) => !drawn.current?.has(key))
  const coming = cameIn(missing, drawn.current, next.current)
  const left = missing.filter((key) => !coming.includes(key))
  const ready = new Set(shown.map(({ key }) => key).filter((key) => !left.includes(key)))
  useLayoutEffect(() => {
    if (last > first) drawn.current = ready
    if (left.length === 0) return
    const frame = requestAnimationFrame(() => {
      next.current = left.slice(0, AT_ONCE)
      setTurn((turn) => turn + 1)
    })
    return () => cancelAnimationFrame(frame)
  })
  return (entry: TimelineEntry) => !isWork(entry) || ready.has(entry.key)
}

function cameIn(missing: readonly string[], drawn: ReadonlySet<string> | null, next: readonly string[]): readonly string[] {
  if (missing.length <= AT_ONCE) return missing
  return drawn ? missing.filter((key) => next.includes(key)) : missing.slice(0, AT_ONCE)
}

/** Headings are drawn faster than what would stand for them. */
function isWork({ kind }: TimelineEntry): boolean {
  return kind === 'post' || kind === 'assets' || kind === 'digest'
}
