import { useState } from 'react'
import { inTurn } from '../lib/in-turn.ts'
import { useAct } from './overlays/use-act.ts'

/**
 * A setting that is saved at once. A choice is shown while it is saved; if that fails, a toast says why and the stored value is shown again.
 * Choices are saved one after the other, so that the last one stays.
 */
export function useSetting<T>(stored: T, save: (next: T) => Promise<unknown>): [shown: T, choose: (next: T) => Promise<void>] {
  const act = useAct()
  // In no transition: the pages that one opens would wait until it is saved.
  const [pending, setPending] = useState<{ value: T } | null>(null)
  const [oneAtATime] = useState(inTurn)
  const choose = async (value: T) => {
    const mine = { value }
    setPending(mine)
    await oneAtATime(() => act(() => save(value)))
    setPending((now) => (now === mine ? null : now))
  }
  return [pending ? pending.value : stored, choose]
}
