import { useSyncExternalStore } from 'react'
import { today } from '../../lib/dates/moments.ts'

const MINUTE = 60_000

/** The current day of this browser as `YYYY-MM-DD`; changes at midnight. */
export function useToday(): string {
  return useSyncExternalStore(everyMinute, () => today())
}

/** Minutes since midnight on the clock of this browser. */
export function useMinutes(): number {
  return useSyncExternalStore(everyMinute, minutesNow)
}

export function minutesNow(): number {
  const now = new Date()
  return now.getHours() * 60 + now.getMinutes()
}

/** Calls back at the start of every minute, and when a sleeping tab becomes visible again. */
function everyMinute(onMinute: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE))
  }
  const tick = () => {
    onMinute()
    wait()
  }
  wait()
  document.addEventListener('visibilitychange', onMinute)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onMinute)
  }
}
