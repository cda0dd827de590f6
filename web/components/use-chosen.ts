import { useState } from 'react'

/** Which items of a list are chosen. `clear` chooses none. */
export function useChosen<T extends { id: string }>(items: readonly T[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choose = (some: readonly T[], on: boolean) => {
    const next = new Set(chosen)
    for (const { id } of some) on ? next.add(id) : next.delete(id)
    setChosen(next)
  }
  return { chosen, selected: items.filter(({ id }) => chosen.has(id)), choose, clear: () => setChosen(new Set()) }
}
