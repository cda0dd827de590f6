/** Milliseconds for which a menu, a dialog or the page before may still be closing. */
const FOCUS_TIMEOUT = 2_000

/** The target of the last call, which has the say. */
let current: unknown

/** Focuses `target()` whenever the focus is lost in the next two seconds: also while it is in `leaving`, or in a dialog that is closing. */
export function giveFocus(target: () => HTMLElement | null | undefined, leaving?: Element): void {
  current = target
  const until = performance.now() + FOCUS_TIMEOUT
  const give = () => {
    if (current !== target) return
    const at = document.activeElement
    const isLost = at === document.body || leaving?.contains(at) || at?.closest('[role=dialog][data-state=closed]')
    if (isLost) target()?.focus({ preventScroll: true })
    if (performance.now() < until) requestAnimationFrame(give)
  }
  give()
}
