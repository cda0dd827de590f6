import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect } from 'react'
import { fetchContentAtom, refreshContentAtom } from '../atoms/content-fetch.ts'
import { isLiveAtom } from '../atoms/live.ts'
import { selectedCollectionIdAtom } from '../atoms/selection.ts'

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
    void fetchContent(collectionId)
    const listening = new AbortController()
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
