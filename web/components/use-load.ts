import { useEffect, useEffectEvent, useState } from 'react'
import { messageOf } from '../lib/message-of.ts'

/** Fetches when the component is mounted. Returns why that failed, and what tries again. */
export function useLoad(fetch: () => Promise<unknown>): [failure: string, load: () => void] {
  const [failure, setFailure] = useState('')
  const load = () => {
    setFailure('')
    fetch().catch((error: unknown) => setFailure(messageOf(error)))
  }
  const onMount = useEffectEvent(load)
  useEffect(() => onMount(), [])
  return [failure, load]
}
