/** Marks elements with `autoFocus`, for which React sets no attribute: a dialog over another one looks for it. */
export function asksForFocus(autoFocus: boolean | undefined): { 'data-asks-for-focus'?: '' } {
  return autoFocus ? { 'data-asks-for-focus': '' } : {}
}

export const ASKS_FOR_FOCUS = '[data-asks-for-focus]'
