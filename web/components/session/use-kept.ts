import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'

const kept = new Map<string, unknown>()

/** State of a page that stays when the app is drawn anew in another language, and goes with the page. */
export function useKept<T>(name: string, first: T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as T) : first))
  useEffect(() => {
    kept.set(name, value)
    return () => void kept.delete(name)
  }, [name, value])
  return [value, setValue]
}
