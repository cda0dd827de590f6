import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isRightToLeft } from '../../lib/reading-direction.ts'

/** Pixels that a finger must move sideways, and by what factor further than vertically. */
const FAR = 56
const STEEP = 1.8
/** Pixels of movement that are ignored. */
const SLACK = 10

interface Point {
  clientX: number
  clientY: number
}

/** A swipe to the left over the area calls `step` with 1, to the right with -1; the other way round where one reads from right to left. */
export function useSwipe(area: RefObject<HTMLElement | null>, step: (by: -1 | 1) => void): void {
  const onStep = useEffectEvent(step)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const listening = new AbortController()
    const { signal } = listening
    let start: Point | null = null
    const begin = ({ touches }: TouchEvent) => {
      start = touches.length === 1 ? touches.item(0) : null
    }
    // Otherwise the browser treats a quick swipe as a fling, and the next tap as one that stops it.
    const preventFling = (event: TouchEvent) => {
      if (event.cancelable && isSideways(start, event.touches.item(0), SLACK)) event.preventDefault()
    }
    const end = ({ changedTouches }: TouchEvent) => {
      const [from, to] = [start, changedTouches.item(0)]
      start = null
      if (from && to && isSideways(from, to, FAR)) onStep(to.clientX < from.clientX === isRightToLeft() ? -1 : 1)
    }
    element.addEventListener('touchstart', begin, { signal, passive: true })
    element.addEventListener('touchmove', preventFling, { signal, passive: false })
    element.addEventListener('touchend', end, { signal, passive: true })
    return () => listening.abort()
  }, [area])
}

function isSideways(from: Point | null, to: Point | null, far: number): boolean {
  if (!from || !to) return false
  const [dx, dy] = [Math.abs(to.clientX - from.clientX), Math.abs(to.clientY - from.clientY)]
  return dx > far && dx > STEEP * dy
}
