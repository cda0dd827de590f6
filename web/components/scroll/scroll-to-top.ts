import type { Scroller } from './use-scroller.ts'

/** Further away, a smooth way would fly past everything between. In screens. */
const NEAR = 3

/** To the top of what scrolls: smoothly from nearby, at once from afar or where motion is not wanted. */
export function scrollToTop({ element, viewHeight }: Scroller): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollTo({ top: 0, behavior: still || element.scrollTop > NEAR * viewHeight() ? 'instant' : 'smooth' })
}
