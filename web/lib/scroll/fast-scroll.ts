/** Milliseconds that count. */
const WINDOW = 300
/** Screens within them above which a scroll is fast, and below which it no longer is. Turning a page smoothly stays below. */
const FAST = 1.25
const SLOW = 0.6

/**
 * Tells from the scroll positions of a list whether it is scrolled so fast that nothing on it can be seen. However far a single step leads, it
 * counts as one screen: a jump is not fast, one jump after another is. Takes pixels of the content, pixels of the screen and milliseconds.
 */
export function createFastScroll() {
  let steps: { at: number; screens: number }[] = []
  let last: number | null = null
  let fast = false
  return (top: number, view: number, now: number): boolean => {
    steps.push({ at: now, screens: last === null ? 0 : Math.min(1, Math.abs(top - last) / view) })
    last = top
    steps = steps.filter(({ at }) => now - at < WINDOW)
    const screens = steps.reduce((sum, step) => sum + step.screens, 0)
    fast = fast ? screens >= SLOW : screens > FAST
    return fast
  }
}
