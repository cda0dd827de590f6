import { type Asset, listAssets } from '../../../contract/assets.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { listPosts, type Post } from '../../../contract/posts.ts'
import { call } from '../api.ts'
import { takeOfCollection } from '../start/prefetched.ts'

/** One page of a list: rows, the cursor of the next page, and the revision of the collection. */
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

const [postColumns, assetColumns] = [
  { ...listPosts, response: listPosts.columns },
  { ...listAssets, response: listAssets.columns },
]

export async function assetsPage(collectionId: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Asset>> {
  const early = isFirst(query) ? takeOfCollection('assets', collectionId) : undefined
  const answer = await call(assetColumns, { query: queryOf(collectionId, query), early, signal })
  return { rows: answer.assets.filter((asset) => asset.status === 'ready'), ...rest(answer) }
}

export async function postsPage(collectionId: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Post>> {
  const early = isFirst(query) ? takeOfCollection('posts', collectionId) : undefined
  const answer = await call(postColumns, { query: queryOf(collectionId, query), early, signal })
  return { rows: answer.posts, ...rest(answer) }
}

const isFirst = ({ cursor, since }: PageQuery) => cursor === undefined && since === undefined

/** The first page is small, so that it renders at once; the others load in the background and are large. */
function queryOf(collectionId: string, query: PageQuery) {
  return { collection_id: collectionId, limit: query.cursor ? LIMITS.pageSize : LIMITS.defaultPageSize, form: 'columns' as const, ...query }
}

function rest(answer: { nextCursor: string | null; revision?: number | undefined; deleted?: string[] | undefined }) {
  return { nextCursor: answer.nextCursor, revision: answer.revision ?? 0, deleted: answer.deleted ?? [] }
}
