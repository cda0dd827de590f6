import { useDeferredValue } from 'react'
import { useNavigationType } from 'react-router'

/**
 * Whether what lies below a page's first screen is to be drawn: not in the first frame of a page that opens at its top, but right after
 * it. Whoever goes back is led to where they were, which has to be there.
 */
export function useRestOfPage(): boolean {
  return useDeferredValue(true, useNavigationType() === 'POP')
}
