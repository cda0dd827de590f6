import { useSyncExternalStore } from 'react'

/** From this width the rail is shown at the left, and there is room for a panel at the right. */
const WIDE = '(min-width: 64rem)'

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
