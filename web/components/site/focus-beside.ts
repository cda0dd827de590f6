/** Milliseconds for which a closing dialog may still return the focus to its opener. */
const FOCUS_TIMEOUT = 2_000

/** The row that is removed last has the say. */
let last: Element | null = null

/**
 * Where the focus goes when a row of a settings page is removed: to the adjacent row, or to the section when no row with a control is left, or to the
 * page. Call it while the row still exists.
 */
export function focusBeside(row: Element | null): () => void {
  last = row
  const rows = [row?.nextElementSibling, row?.previousElementSibling]
  const section = row?.closest('section')
  const target = () => {
    const controls = rows.map((other) => other?.isConnected && other.querySelector<HTMLElement>('a[href], button, select'))
    return (
      controls.find(Boolean) || (section?.isConnected && section.closest<HTMLElement>('[tabindex]')) || document.getElementById('content')
    )
  }
  return () => {
    if (!row) return
    const until = performance.now() + FOCUS_TIMEOUT
    const give = () => {
      if (last !== row) return
      const at = document.activeElement
      const dialog = at?.closest<HTMLElement>('[role="dialog"]')
      const lost = !at || at === document.body || row.contains(at) || dialog?.dataset.state === 'closed'
      if (lost) target()?.focus({ preventScroll: true })
      // If the user has moved the focus elsewhere, it stays there. A dialog may be about to close.
      else if (section && !section.contains(at) && !dialog) return
      if (performance.now() < until) requestAnimationFrame(give)
    }
    give()
  }
}
