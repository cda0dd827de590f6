import { useDeferredValue } from 'react'
import { useNavigationType } from 'react-router'

/**
 * Whether to render the part below a page's first screen: not in the first frame of a page that opens at its top, but right after it. A page restored
 * by Back needs it at once, for its scroll position.
 */
export function useRestOfPage(): boolean {
  return useDeferredValue(true, useNavigationType() === 'POP')
}
