/** Milliseconds for which a closing dialog may still return the focus to its opener. */
const FOCUS_TIMEOUT = 2_000

/**
 * Where the focus goes when a row of a settings page is removed: to the adjacent row, or to the section when no row with a control is left. Call it
 * while the row still exists.
 */
export function focusBeside(row: Element | null): () => void {
  const beside = [row?.nextElementSibling, row?.previousElementSibling].map((other) => other?.querySelector<HTMLElement>('a[href], button'))
  const target = beside.find(Boolean) ?? row?.closest<HTMLElement>('section[tabindex]')
  const section = row?.closest('section')
  return () => {
    if (!row || !target) return
    const until = performance.now() + FOCUS_TIMEOUT
    const give = () => {
      const at = document.activeElement
      const lost = !at || at === document.body || row.contains(at) || at.closest('[role="dialog"][data-state="closed"]')
      if (lost) target.focus({ preventScroll: true })
      // If the user has moved the focus elsewhere, it stays there.
      else if (section && !section.contains(at)) return
      if (performance.now() < until) requestAnimationFrame(give)
    }
    give()
  }
}
