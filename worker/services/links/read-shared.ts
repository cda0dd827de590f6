import { say } from '#language'
import type { Asset } from '../../../contract/assets.ts'
import type { Comment } from '../../../contract/comments.ts'
import { guestUserId } from '../../../contract/links.ts'
import type { Post } from '../../../contract/posts.ts'
import type { Db } from '../../db/client.ts'
import { notFound } from '../../http/errors.ts'
import { findAsset, listAssets } from '../../queries/assets.ts'
import { ITEM_NOT_FOUND, listComments } from '../../queries/comments.ts'
import { findNeighbours, findSharedHead, type Neighbours, type SharedHead } from '../../queries/guests.ts'
import type { ItemKind } from '../../queries/permissions.ts'
import { findPost, listPosts } from '../../queries/posts.ts'

// Reads as the guest, whose database shows what the link shows and nothing else.

/** Posts and assets on one page. */
const POSTS = 50
const ASSETS = 200

/** A page of what a link shows. `after` are the cursors of the next one, or null. */
export interface Shared {
  head: SharedHead
  posts: Post[]
  assets: Asset[]
  after: Cursors | null
}

/** Null where everything has been shown. */
export interface Cursors {
  posts: string | null
  assets: string | null
}

/** Without `cursors`, the newest. */
export async function readShared(db: Db, guest: string, cursors?: Cursors): Promise<Shared> {
  const userId = guestUserId(guest)
  const head = await findSharedHead(db)
  const ask = (limit: number, cursor: string | null | undefined) => ({
    collection_id: head.collectionId,
    limit,
    ...(cursor && { cursor }),
  })
  const read = async <T>(kind: keyof Cursors): Promise<{ rows: T[]; next: string | null }> => {
    if (cursors && cursors[kind] === null) return { rows: [], next: null }
    const page =
      kind === 'posts'
        ? await listPosts(db, userId, { query: ask(POSTS, cursors?.posts), known: undefined })
        : await listAssets(db, userId, { query: ask(ASSETS, cursors?.assets) })
    return { rows: JSON.parse(page.items ?? '[]'), next: page.nextCursor }
  }
  const [posts, assets] = await Promise.all([read<Post>('posts'), read<Asset>('assets')])
  const after = posts.next || assets.next ? { posts: posts.next, assets: assets.next } : null
  // Of a group, the cover stands for all its parts.
  const shown = assets.rows.filter(({ id, group }) => !group || group.cover === id)
  return { head, posts: posts.rows, assets: shown, after }
}

/** One item that a link shows, and what was said about it; `after` is the cursor of the next comments, or null. */
export interface SharedItem extends Neighbours {
  head: SharedHead
  item: Post | Asset
  /** The guest has added it, and may still. */
  own: boolean
  comments: Comment[]
  after: string | null
}

export interface SharedThread {
  kind: ItemKind
  id: string
}

/** Throws 404 for what the link does not show. */
export async function readSharedItem(db: Db, guest: string, { kind, id }: SharedThread, cursor?: string): Promise<SharedItem> {
  const userId = guestUserId(guest)
  const head = await findSharedHead(db)
  const { collectionId } = head
  const find = kind === 'post' ? findPost : findAsset
  const [item, page, beside] = await Promise.all([
    find(db, userId, id, collectionId),
    listComments(db, userId, { kind, id, collectionId }, cursor === undefined ? {} : { cursor }),
    findNeighbours(db, kind, { id, collectionId }),
  ])
  if (!item) throw notFound(say(ITEM_NOT_FOUND[kind]))
  const own = head.allows === 'add' && item.user_id === userId
  return { ...beside, head, item, own, comments: JSON.parse(page.comments), after: page.nextCursor }
}
