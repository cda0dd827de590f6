import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { TileLayout } from '../../lib/photos/justified.ts'

/** Milliseconds: a leap that follows another one sooner is part of a flight, which ends when none has come for so long. */
const PAUSE = 100

/**
 * Whether screens of tiles only fly by, as when somebody drags through years: nobody looks at one of them, so they need no pictures. A
 * single leap is no flight. `see` is to be told of the tiles on the screen, as [first, last), each time that it is looked, and says
 * whether they fly.
 */
export function useFlight(layout: TileLayout) {
  const [flying, setFlying] = useState(false)
  const seen = useRef({ layout, tiles: [0, 0] as [number, number], leapt: Number.NEGATIVE_INFINITY })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const see = useCallback(
    (tiles: [number, number]) => {
      const { layout: before, tiles: held, leapt } = seen.current
      const leaps = before === layout && areApart(held, tiles)
      seen.current = { layout, tiles, leapt: leaps ? performance.now() : leapt }
      if (!leaps) return false
      const flies = seen.current.leapt - leapt < PAUSE
      if (flies) setFlying(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => startTransition(() => setFlying(false)), PAUSE)
      return flies
    },
    [layout],
  )
  return { flying, see }
}

function areApart(a: [number, number], b: [number, number]): boolean {
  const some = a[1] > a[0] && b[1] > b[0]
  return some && (a[1] <= b[0] || b[1] <= a[0])
}
