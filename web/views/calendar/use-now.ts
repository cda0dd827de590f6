import { useSyncExternalStore } from 'react'
import { minutesAt } from '../../../contract/date-format.ts'
import { today } from '../../lib/dates/moments.ts'
import { localZone } from '../../lib/dates/zones.ts'

const MINUTE = 60_000

/** The reader's current day as `YYYY-MM-DD`; changes at midnight. */
export function useToday(): string {
  return useSyncExternalStore(everyMinute, () => today())
}

/** Minutes since midnight on the reader's clock. */
export function useMinutes(): number {
  return useSyncExternalStore(everyMinute, minutesNow)
}

export function minutesNow(): number {
  return minutesAt(new Date().toISOString(), localZone())
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
