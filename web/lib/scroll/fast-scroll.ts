/** Milliseconds over which scrolling is measured. */
const WINDOW = 300
/** Screens within that time above which scrolling is fast, and below which it no longer is. Smooth paging stays below. */
const FAST = 1.25
const SLOW = 0.6

/**
 * Detects scrolling so fast that nothing can be seen. A single step counts as at most one screen, however far it goes: one jump is not
 * fast, several in a row are. Takes pixels of the content, pixels of the screen and milliseconds.
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
