/** Milliseconds for which a dialog that closes may still send the focus back to what it was opened from. */
const PATIENCE = 2_000

/**
 * How the focus gets to where it goes when a row of a settings page does: to the row beside it, or to the section where there is none with
 * something to press. To be asked for while the row is there.
 */
export function placeBeside(row: Element | null): () => void {
  const beside = [row?.nextElementSibling, row?.previousElementSibling].map((other) => other?.querySelector<HTMLElement>('a[href], button'))
  const target = beside.find(Boolean) ?? row?.closest<HTMLElement>('section[tabindex]')
  const section = row?.closest('section')
  return () => {
    if (!row || !target) return
    const until = performance.now() + PATIENCE
    const give = () => {
      const at = document.activeElement
      const lost = !at || at === document.body || row.contains(at) || at.closest('[role="dialog"][data-state="closed"]')
      if (lost) target.focus({ preventScroll: true })
      // Where somebody has gone themselves, they stay, and what is lost from there is not for here.
      else if (section && !section.contains(at)) return
      if (performance.now() < until) requestAnimationFrame(give)
    }
    give()
  }
}
