import { startTransition, useOptimistic } from 'react'
import { useAct } from './overlays/use-act.ts'

/** A setting that is saved at once. A choice is shown while it is saved; if that fails, a toast says why and the stored value is shown again. */
export function useSetting<T>(stored: T, save: (next: T) => Promise<unknown>): [shown: T, choose: (next: T) => void] {
  const act = useAct()
  const [shown, setShown] = useOptimistic(stored)
  const choose = (next: T) =>
    startTransition(async () => {
      setShown(() => next)
      await act(() => save(next))
    })
  return [shown, choose]
}
