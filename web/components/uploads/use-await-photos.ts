import { useStore } from 'jotai'
import { useCallback } from 'react'
import { attachArrivedAtom, awaitPicturesAtom } from '../../atoms/awaited-photos.ts'
import { uploadItemsAtom } from '../../atoms/uploads.ts'

/** Pictures of a post in their order: all of them, and those that are there already. */
export interface Pictures {
  wanted: string[]
  arrived: string[]
}

/** For a post that is saved: what is still on its way comes into it as it arrives. */
export function useAwaitPictures() {
  const store = useStore()
  return useCallback(
    (collectionId: string, postId: string, { wanted, arrived }: Pictures) => {
      const complete = wanted.length === arrived.length
      store.set(awaitPicturesAtom, { collectionId, postId, pictures: wanted }, complete)
      // Some may have arrived since the form was drawn.
      if (!complete) void store.set(attachArrivedAtom, store.get(uploadItemsAtom))
    },
    [store],
  )
}
