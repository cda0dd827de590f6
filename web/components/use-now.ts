import { useEffect, useState } from 'react'

/** Milliseconds: times shown in minutes are at most half a minute behind. */
const TICK = 30_000

export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
