import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect } from 'react'
import { contentCompleteAtom } from '../../atoms/content.ts'
import { fetchContentAtom, refreshContentAtom } from '../../atoms/content-fetch.ts'
import { isLiveAtom } from '../../atoms/live.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { afterPaint } from '../../lib/scheduling.ts'

/** Without a live connection, how often a visible screen asks what changed. */
const POLL = 30_000

/** Loads the open collection's content and keeps it fresh while a view of it is on the screen. Returns how to try again. */
export function useContent(): () => Promise<void> {
  const collectionId = useAtomValue(selectedCollectionIdAtom)
  const fetchContent = useSetAtom(fetchContentAtom)
  const refresh = useSetAtom(refreshContentAtom)
  const store = useStore()
  useEffect(() => {
    if (!collectionId) return
    const listening = new AbortController()
    const begin = () => void (listening.signal.aborted || fetchContent(collectionId))
    // What is there is drawn before anybody asks what has changed of it.
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
