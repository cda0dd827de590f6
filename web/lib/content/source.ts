import { type Asset, listAssets } from '../../../contract/assets.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { listPosts, type Post } from '../../../contract/posts.ts'
import { call } from '../api.ts'

/** One answer of a list: rows, where to go on, and how far the collection was. */
export interface Page<T> {
  rows: T[]
  deleted: string[]
  nextCursor: string | null
  revision: number
}

export interface PageQuery {
  cursor?: string
  since?: number
}

export async function assetsPage(collectionId: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Asset>> {
  const answer = await call(listAssets, { query: queryOf(collectionId, query), ...(signal ? { signal } : {}) })
  return { rows: answer.assets.filter((asset) => asset.status === 'ready'), ...rest(answer) }
}

export async function postsPage(collectionId: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Post>> {
  const answer = await call(listPosts, { query: queryOf(collectionId, query), ...(signal ? { signal } : {}) })
  return { rows: answer.posts, ...rest(answer) }
}

/** The first page is small, so that it paints at once; what follows in the background comes in large ones. */
function queryOf(collectionId: string, query: PageQuery) {
  return { collection_id: collectionId, limit: query.cursor ? LIMITS.pageSize : LIMITS.defaultPageSize, ...query }
}

function rest(answer: { nextCursor: string | null; revision?: number | undefined; deleted?: string[] | undefined }) {
  return { nextCursor: answer.nextCursor, revision: answer.revision ?? 0, deleted: answer.deleted ?? [] }
}
