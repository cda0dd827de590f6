import { useEffect } from 'react'
import { notifyFirstRender } from '../lib/first-render.ts'

/** Starts the work that waits for a view's first render, once the view has rendered some of its items or shows that there are none. */
export function useNotifyFirstRender(rendered = true): void {
  useEffect(() => {
    if (rendered) notifyFirstRender()
  }, [rendered])
}
