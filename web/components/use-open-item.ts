import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { t } from '#say'
import { assetsAtom, contentAtom, contentErrorAtom, contentStateAtom, postsAtom } from '../atoms/content.ts'
import { refreshContentAtom } from '../atoms/content-fetch.ts'
import { addToastAtom } from '../atoms/toasts.ts'
import { focusAfter } from './focus-after.ts'
import { useStepBack } from './use-step-back.ts'
import { useChangeUrlState } from './use-view-param.ts'

export type OpenItem = [id: string | null, set: (id: string | null) => void]

/** The item in the URL (`?item=`), so that it can be linked to and Back closes it. */
export function useOpenItem(): OpenItem {
  const [search] = useSearchParams()
  const change = useChangeUrlState()
  const stepBack = useStepBack('item')
  const state: unknown = useLocation().state
  const open = search.get('item')
  const opened = state === OPENED
  const set = useCallback(
    (id: string | null) => {
      // Closing undoes the history entry that opening added; a URL opened from outside added none.
      if (id === null && opened) return stepBack()
      void change({ ...NOTHING, item: id }, open === null ? 'push' : 'replace', OPENED)
    },
    [change, stepBack, open, opened],
  )
  useGoneItem(open, set)
  return [open, set]
}

/** Closes the item if the collection does not contain it, or no longer. One that the user removes is closed by the code that removed it. */
export function useGoneItem(open: string | null, set: (id: null) => void) {
  const { collectionId, complete } = useAtomValue(contentAtom)
  const assets = useAtomValue(assetsAtom)
  const posts = useAtomValue(postsAtom)
  const refresh = useSetAtom(refreshContentAtom)
  const addToast = useSetAtom(addToastAtom)
  const store = useStore()
  const focusNext = useRef(() => {})
  const here = open !== null && (assets.some(({ id }) => id === open) || posts.some(({ id }) => id === open))
  useEffect(() => {
    if (here) focusNext.current = focusAfter([{ id: open }])
    if (here || open === null || !complete || !collectionId) return
    const { assets, posts } = store.get(contentStateAtom)
    // Gone only for the user, whose removal is not sent yet.
    if ([...assets, ...posts].some(({ id }) => id === open)) return
    let left = false
    // The loaded content may be older than the URL.
    void refresh(collectionId).then(() => {
      if (left || store.get(contentErrorAtom) || [...store.get(assetsAtom), ...store.get(postsAtom)].some(({ id }) => id === open)) return
      set(null)
      focusNext.current()
      addToast({ id: 'item-gone', title: t`This item is no longer available`, icon: 'broken-image' })
    })
    return () => {
      left = true
    }
  }, [here, open, complete, collectionId, refresh, addToast, store, set])
}

/** The item, and the photo in it. */
const NOTHING = { item: null, photo: null }

const OPENED = 'item-opened'
