import { useStore } from 'jotai'
import { useCallback } from 'react'
import { attachArrivedAtom, awaitPicturesAtom } from '../../atoms/awaited-photos.ts'
import { uploadItemsAtom } from '../../atoms/uploads.ts'

/** Photos of a post in order: all ids, and the assets that are stored already. */
export interface Pictures {
  wanted: string[]
  arrived: string[]
}

/** For a saved post: files that are still uploading are attached as they arrive. */
export function useAwaitPictures() {
  const store = useStore()
  return useCallback(
    (collectionId: string, postId: string, { wanted, arrived }: Pictures) => {
      const complete = wanted.length === arrived.length
      store.set(awaitPicturesAtom, { collectionId, postId, pictures: wanted }, complete)
      // Some may have arrived since the form was rendered.
      if (!complete) void store.set(attachArrivedAtom, store.get(uploadItemsAtom))
    },
    [store],
  )
}
