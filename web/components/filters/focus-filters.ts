/** Focuses the button that opens the filters: the focused element is about to disappear. */
export function focusFilters(): void {
  document.querySelector<HTMLElement>('search [aria-haspopup=dialog]')?.focus()
}
