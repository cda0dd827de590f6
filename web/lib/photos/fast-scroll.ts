/** Milliseconds that count. */
const WINDOW = 300
/** Screens within them, from which on it is a hurry, and below which it is over. One that is turned smoothly is none. */
const FAST = 1
const SLOW = 0.6

/**
 * Tells from where a page is scrolled to whether somebody hurries through it. A single leap, of a screen or more, is no hurry. Takes
 * pixels of the content, pixels of the screen and milliseconds.
 */
export function createHurry() {
  let steps: { at: number; far: number }[] = []
  let last: number | null = null
  let hurried = false
  return (top: number, view: number, now: number): boolean => {
    const far = last === null ? 0 : Math.abs(top - last)
    last = top
    if (far < view) steps.push({ at: now, far })
    steps = steps.filter(({ at }) => now - at < WINDOW)
    const screens = steps.reduce((sum, step) => sum + step.far, 0) / view
    hurried = hurried ? screens >= SLOW : screens > FAST
    return hurried
  }
}
