import { giveFocus, stopGivingFocus } from './give-focus.ts'

/**
 * Where the focus goes when a row of a list is removed: to the adjacent row, or to the section when no row with a control is left, or to the
 * page. Call it while the row still exists.
 */
export function focusBeside(row: Element | null): () => void {
  stopGivingFocus()
  const rows = [row?.nextElementSibling, row?.previousElementSibling]
  const section = row?.closest('section') ?? null
  const target = () => {
    const controls = rows.map((other) => other?.isConnected && other.querySelector<HTMLElement>('a[href], button, select'))
    return (
      controls.find(Boolean) || (section?.isConnected && section.closest<HTMLElement>('[tabindex]')) || document.getElementById('content')
    )
  }
  return () => {
    if (row) giveFocus(target, { row, section })
  }
}
