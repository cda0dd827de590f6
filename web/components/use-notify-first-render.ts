import { useEffect } from 'react'
import { notifyFirstRender } from '../lib/first-render.ts'

/** Starts the work that waits for a view's first render, once the view has rendered `some` of its items. */
export function useNotifyFirstRender(some: boolean): void {
  useEffect(() => {
    if (some) notifyFirstRender()
  }, [some])
}
