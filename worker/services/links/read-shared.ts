import type { Asset } from '../../../contract/assets.ts'
import { guestUserId } from '../../../contract/links.ts'
import type { Post } from '../../../contract/posts.ts'
import type { Db } from '../../db/client.ts'
import { listAssets } from '../../queries/assets.ts'
import { findSharedHead } from '../../queries/guests.ts'
import { listPosts } from '../../queries/posts.ts'

/** Posts and assets on one page. */
const POSTS = 50
const ASSETS = 200

/** A page of what a link shows. `after` are the cursors of the next one, or null. */
export interface Shared {
  link: string
  title: string
  posts: Post[]
  assets: Asset[]
  after: Cursors | null
}

/** Null where everything has been shown. */
export interface Cursors {
  posts: string | null
  assets: string | null
}

/** Reads as the guest, whose database shows what the link shows and nothing else. Without `cursors`, the newest. */
export async function readShared(db: Db, guest: string, cursors?: Cursors): Promise<Shared> {
  const userId = guestUserId(guest)
  const { link, collectionId, title } = await findSharedHead(db)
  const ask = (limit: number, cursor: string | null | undefined) => ({ collection_id: collectionId, limit, ...(cursor && { cursor }) })
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
  return { link, title, posts: posts.rows, assets: shown, after }
}
