import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect } from 'react'
import { contentCompleteAtom } from '../../atoms/content.ts'
import { fetchContentAtom, refreshContentAtom } from '../../atoms/content-fetch.ts'
import { isLiveAtom } from '../../atoms/live.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { afterPaint } from '../../lib/scheduling.ts'

/** Polling interval of a visible screen without a live connection, in milliseconds. */
const POLL = 30_000

/** Loads the open collection's content and refreshes it while a view of it is mounted. Returns a function that retries. */
export function useContent(): () => Promise<void> {
  const collectionId = useAtomValue(selectedCollectionIdAtom)
  const fetchContent = useSetAtom(fetchContentAtom)
  const refresh = useSetAtom(refreshContentAtom)
  const store = useStore()
  useEffect(() => {
    if (!collectionId) return
    const listening = new AbortController()
    const begin = () => void (listening.signal.aborted || fetchContent(collectionId))
    // Stored content is painted before the server is asked for changes.
    if (store.get(contentCompleteAtom)) void afterPaint().then(begin)
    else begin()
    const look = () => document.visibilityState === 'visible' && !store.get(isLiveAtom) && void refresh(collectionId)
    const timer = setInterval(look, POLL)
    addEventListener('focus', look, listening)
    addEventListener('online', look, listening)
    document.addEventListener('visibilitychange', look, listening)
    return () => {
      clearInterval(timer)
      listening.abort()
    }
  }, [collectionId, fetchContent, refresh, store])
  return () => (collectionId ? fetchContent(collectionId) : Promise.resolve())
}
