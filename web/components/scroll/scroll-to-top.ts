import type { Scroller } from './use-scroller.ts'

/** Beyond this distance, in screens, smooth scrolling would rush past all content. */
const NEAR = 3

/** Scrolls to the top: smoothly from nearby, at once from afar or when reduced motion is preferred. */
export function scrollToTop({ element, viewHeight }: Scroller): void {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollTo({ top: 0, behavior: reducedMotion || element.scrollTop > NEAR * viewHeight() ? 'instant' : 'smooth' })
}
