import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'

/** Only posts have a title. */
export function isPost(item: Post | Asset): item is Post {
  return 'title' in item
}

export function isAsset(item: Post | Asset): item is Asset {
  return !isPost(item)
}

export function isIn(item: Post | Asset, collectionId: string): boolean {
  return item.collections.some(({ collection_id }) => collection_id === collectionId)
}
