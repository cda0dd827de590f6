import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { afterPaint } from '../../lib/scheduling.ts'
import { createTallScroll, type Position } from '../../lib/scroll/tall-scroll.ts'

/** The scroll container, in pixels of the content, however much taller than its box the content is. */
export interface Scroller {
  element: Element
  target: EventTarget
  viewHeight: () => number
  /** Top of the viewport in the content; negative above it. */
  top: () => number
  scrollTo: (top: number) => void
  /** Height of the content above its box: all elements are drawn that much higher. */
  shift: () => number
  /** Sets the height of the content. Its box has the height `boxHeight` of it. */
  fit: (height: number) => void
}

/** The nearest ancestor that scrolls, or the page. Found before the first paint, or `after` it where that is early enough. */
export function useScroller(ref: RefObject<HTMLElement | null>, after = false): Scroller | null {
  const [scroller, setScroller] = useState<Scroller | null>(null)
  useLayoutEffect(() => {
    if (!after && ref.current) setScroller(scrollerOf(ref.current))
  }, [ref, after])
  useEffect(() => {
    if (!after) return
    let left = false
    void afterPaint().then(() => {
      // In slices, since every component that follows the scroller is rendered again.
      const scroller = !left && ref.current && scrollerOf(ref.current)
      if (scroller) startTransition(() => setScroller(scroller))
    })
    return () => {
      left = true
    }
  }, [ref, after])
  return scroller
}

function scrollerOf(content: HTMLElement): Scroller {
  let parent = content.parentElement
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
  const page = document.scrollingElement ?? document.documentElement
  const own = parent && parent !== page && parent !== document.body ? parent : null
  const element = own ?? page
  const edge = () => (own ? own.getBoundingClientRect().top : 0)
  const viewHeight = () => (own ? own.clientHeight : window.innerHeight)
  const tall = createTallScroll()
  let height = 0
  const size = () => ({ height, view: viewHeight() })
  const box = () => edge() - content.getBoundingClientRect().top
  const put = (to: Position) => {
    const by = to.box - box()
    // Setting scrollTop ends a movement that is under way.
    if (by !== 0) element.scrollTop += by
  }
  return {
    element,
    target: own ?? window,
    viewHeight,
    top() {
      const now = box()
      const to = tall.read(now, size())
      if (to.box !== now) put(to)
      return to.top
    },
    scrollTo: (top) => put(tall.move(top, size())),
    shift: tall.shift,
    fit(next) {
      height = next
    },
  }
}

/** Calls `look` at once and whenever it changes, then once a frame while the page scrolls or the window is resized. */
export function useLookWhileScrolling(look: () => void, scroller: Scroller | null): void {
  useLayoutEffect(() => {
    look()
    let frame = 0
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    scroller?.target.addEventListener('scroll', schedule, { passive: true })
    window.addEventListener('resize', schedule)
    return () => {
      cancelAnimationFrame(frame)
      scroller?.target.removeEventListener('scroll', schedule)
      window.removeEventListener('resize', schedule)
    }
  }, [look, scroller])
}
