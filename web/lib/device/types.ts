import type { Asset } from '../../../contract/assets.ts'
import type { Collection } from '../../../contract/collections.ts'
import type { FeedItem } from '../../../contract/feed.ts'
import type { Post } from '../../../contract/posts.ts'
import type { Chunk } from './chunks.ts'

export interface ContentRows {
  posts: Post[]
  assets: Asset[]
}

/** The complete collection up to these revisions. */
export interface WholeContent extends ContentRows {
  collectionId: string
  postsRevision: number
  assetsRevision: number
  /** The memberships that the rows were requested with. */
  memberships: string
}

/** Stored content: the newest rows at once. `rest` returns all others, or null if they cannot be read. */
export interface StoredContent {
  postsRevision: number
  assetsRevision: number
  memberships: string
  first: ContentRows
  rest: () => Promise<ContentRows | null>
}

export interface Stored {
  collectionId: string
  stamp: string
  postsRevision: number
  assetsRevision: number
  memberships: string
  posts: Chunk<Post>[]
  assets: Chunk<Asset>[]
}

/** Data of one account on this device. Nothing throws; data that cannot be stored is fetched from the server again. */
export interface DeviceStore {
  collections(): Promise<Collection[] | null>
  saveCollections(list: readonly Collection[]): Promise<void>
  /** The newest page of the feed. */
  feed(): Promise<FeedItem[] | null>
  saveFeed(items: readonly FeedItem[]): Promise<void>
  content(collectionId: string): Promise<StoredContent | null>
  save(content: WholeContent): Promise<void>
  remove(collectionId: string): Promise<void>
  keepOnly(collectionIds: readonly string[]): Promise<void>
  close(): void
}
