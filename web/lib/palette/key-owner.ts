/** Overlays that are closing no longer capture the keys. */
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu], .yarl__portal'
  .split(', ')
  .map((overlay) => `${overlay}:not([data-state=closed])`)
  .join()

/** Whether a dialog, a menu or an open photo has the keys to itself. */
export function isCovered(): boolean {
  return document.querySelector(OVERLAYS) !== null
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role=textbox]') !== null)
}
