import { type ComponentType, useCallback } from 'react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { useAsk } from './overlay-outlet.tsx'
import { useAct } from './use-act.ts'

/** `useAsk` for a dialog whose code is loaded on first use. A failure to load is shown in a toast, and the next call tries again. */
export function useOpen() {
  const act = useAct()
  const ask = useAsk()
  return useCallback(
    async <P extends object, R>(load: () => Promise<ComponentType<P & OverlayProps<R>>>, props: P): Promise<R | undefined> => {
      let result: R | undefined
      await act(async () => {
        result = await ask(await load(), props)
      })
      return result
    },
    [act, ask],
  )
}
