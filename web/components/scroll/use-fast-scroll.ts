import { atom, useSetAtom, useStore } from 'jotai'
import { startTransition, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { createFastScroll } from '../../lib/scroll/fast-scroll.ts'

/** Milliseconds without a scroll event that end a fast scroll. */
const PAUSE = 100

const fastScrollAtom = atom(false)

/**
 * Measures how fast a list is scrolled. The returned function takes each scroll position and the height of the screen, in pixels, and returns whether
 * the scroll is fast. Photos that appear meanwhile are not requested (useSlowedDown), and expensive rows start as placeholders (usePlaceholder).
 */
export function useFastScroll(): (top: number, view: number) => boolean {
  const set = useSetAtom(fastScrollAtom)
  const [isFast] = useState(createFastScroll)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    return () => {
      clearTimeout(timer.current)
      set(false)
    }
  }, [set])
  return useCallback(
    (top, view) => {
      const fast = isFast(top, view, performance.now())
      set(fast)
      clearTimeout(timer.current)
      if (fast) timer.current = setTimeout(() => set(false), PAUSE)
      return fast
    },
    [isFast, set],
  )
}

/** False for elements mounted during a fast scroll, until it slows down; then always true. */
export function useSlowedDown(): boolean {
  const store = useStore()
  const [slowed, setSlowed] = useState(() => !store.get(fastScrollAtom))
  useEffect(() => {
    if (slowed) return
    const look = () => store.get(fastScrollAtom) || startTransition(() => setSlowed(true))
    look()
    return store.sub(fastScrollAtom, look)
  }, [slowed, store])
  return slowed
}

/**
 * True in the first render of a row that appears during a fast scroll. React renders the row itself when there is time, or never if it is gone by
 * then.
 */
export function usePlaceholder(): boolean {
  const store = useStore()
  return useDeferredValue(false, store.get(fastScrollAtom))
}
