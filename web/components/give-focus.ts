/** Milliseconds for which a menu, a dialog or the page before may still be closing. */
const FOCUS_TIMEOUT = 2_000

/** The target of the last call, which has the say. */
let current: unknown

/** Stops the call of before: its target must not take the focus from whatever is about to be given it. */
export function stopGivingFocus(): void {
  current = null
}

/**
 * Focuses `target()` whenever the focus is lost in the next two seconds: also while it is in a row that leaves, or in a dialog that is closing. Whoever moves
 * on from the row's section keeps the focus.
 */
export function giveFocus(target: () => HTMLElement | null | undefined, leaving?: { row: Element; section: Element | null }): void {
  current = target
  const until = performance.now() + FOCUS_TIMEOUT
  const give = () => {
    if (current !== target) return
    const at = document.activeElement
    const dialog = at?.closest<HTMLElement>('[role=dialog]')
    const isLost = at === document.body || leaving?.row.contains(at) || dialog?.dataset.state === 'closed'
    if (isLost) target()?.focus({ preventScroll: true })
    else if (leaving?.section && !leaving.section.contains(at) && !dialog) return
    if (performance.now() < until) requestAnimationFrame(give)
  }
  give()
}
