import { useStore } from 'jotai'
import { useCallback } from 'react'
import { attachArrivedAtom, awaitPhotosAtom } from '../../atoms/awaited-photos.ts'
import { uploadItemsAtom } from '../../atoms/uploads.ts'

/** Ids of a post's photos in order: all of them, and those stored already. */
export interface PostPhotoIds {
  wanted: string[]
  arrived: string[]
}

/** For a saved post: files that are still uploading are attached as they arrive. */
export function useAwaitPhotos() {
  const store = useStore()
  return useCallback(
    (collectionId: string, postId: string, { wanted, arrived }: PostPhotoIds) => {
      const complete = wanted.length === arrived.length
      store.set(awaitPhotosAtom, { collectionId, postId, pictures: wanted }, complete)
      // Some may have arrived since the form was rendered.
      if (!complete) void store.set(attachArrivedAtom, store.get(uploadItemsAtom))
    },
    [store],
  )
}
