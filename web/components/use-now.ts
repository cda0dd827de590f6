import { useEffect, useState } from 'react'

/** Milliseconds: what is told in minutes is at most half of one behind. */
const TICK = 30_000

/** The time, for what says how long ago something was. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
