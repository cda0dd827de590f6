import { useSetAtom, useStore } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { leaveUrlStateAtom, narrowingAtom, unwrittenAtom } from '../../atoms/filters.ts'
import { type Narrowing, writeNarrowing } from '../../lib/filters/url-state.ts'
import { type Step, useChangeUrlState } from '../use-view-param.ts'

/** Writes filters and search to the URL as they change; the route's loader reads them from there. */
export function useFilterUrlState(): void {
  const change = useEffectEvent(useChangeUrlState())
  const store = useStore()
  const leave = useSetAtom(leaveUrlStateAtom)
  useEffect(() => {
    let before = store.get(narrowingAtom)
    const stop = store.sub(narrowingAtom, () => {
      const next = store.get(narrowingAtom)
      const step = stepBetween(before, next)
      before = next
      const unwritten = store.set(unwrittenAtom)
      if (unwritten) void change(writeNarrowing(unwritten), step)
    })
    return () => {
      stop()
      leave()
    }
  }, [store, leave])
}

/** Every filter adds a history entry, and so does a search, but not each of its letters. */
function stepBetween(before: Narrowing, next: Narrowing): Step {
  return before.filters === next.filters && before.search !== '' && next.search !== '' ? 'gather' : 'push'
}
