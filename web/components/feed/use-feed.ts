import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'
import { feedVisitAtom, markSeenAtom, openFeedAtom, refreshFeedAtom } from '../../atoms/feed.ts'
import { isLiveAtom } from '../../atoms/live.ts'

/** Polling interval of a visible screen without a live connection, in milliseconds. */
const POLL = 30_000

/** Loads the feed, refreshes it while it is mounted, and marks it as seen. */
export function useFeed() {
  const store = useStore()
  const open = useSetAtom(openFeedAtom)
  const refresh = useSetAtom(refreshFeedAtom)
  const markSeen = useSetAtom(markSeenAtom)
  const visit = useAtomValue(feedVisitAtom)
  const back = useRef(useNavigationType() === 'POP')
  useEffect(() => {
    const listening = new AbortController()
    const close = open(back.current)
    const look = () => document.visibilityState === 'visible' && !store.get(isLiveAtom) && void refresh()
    const timer = setInterval(look, POLL)
    addEventListener('focus', look, listening)
    addEventListener('online', look, listening)
    return () => {
      close()
      clearInterval(timer)
      listening.abort()
    }
  }, [open, refresh, store])
  const asOf = visit?.asOf
  useEffect(() => {
    if (!asOf) return
    // A feed in a background tab has not been seen.
    const see = () => document.visibilityState === 'visible' && void markSeen()
    see()
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [asOf, markSeen])
  return { visit, retry: () => void refresh() }
}
