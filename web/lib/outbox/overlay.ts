import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { isIn } from '../content/is-post.ts'
import { mergeDelta, rowsById } from '../content/merge.ts'
import { dated, edited, written } from './rows.ts'
import type { BulkAction, Operation } from './types.ts'

interface Shown {
  collectionId: string | null
  posts: Post[]
  assets: Asset[]
}

/** Rows after the operations so far; null for removed ones. */
interface Layer<T> {
  items: readonly T[]
  rows: ReadonlyMap<string, T>
  changed: Map<string, T | null>
}

/** Whether an operation is shown. Refused operations are not. */
function isShown(operation: Operation): boolean {
  return operation.state !== 'refused' && !operation.undone
}

/**
 * Applies pending operations to content. Pure and idempotent, so that nothing flickers while a response and a delta bring the same change.
 * Returns the content itself if there is nothing to apply.
 */
export function applyPending<C extends Shown>(content: C, operations: readonly Operation[]): C {
  const { collectionId } = content
  const wanted = operations.filter(isShown)
  if (!collectionId || wanted.length === 0) return content
  const posts = layerOf(content.posts)
  const assets = layerOf(content.assets)
  for (const operation of wanted) applyOperation(operation, collectionId, posts, assets)
  return { ...content, posts: settled(content.posts, posts), assets: settled(content.assets, assets) }
}

function applyOperation({ action, userId }: Operation, collectionId: string, posts: Layer<Post>, assets: Layer<Asset>): void {
  const picture = (id: string) => find(assets, id)
  switch (action.kind) {
    case 'create':
      if (!posts.rows.has(action.post.id) && action.post.collectionIds?.includes(collectionId)) put(posts, written(action, userId, picture))
      return
    case 'editPost':
      change(posts, [action.id], (post) => edited(post, action.patch, picture))
      return
    case 'editAsset':
      change(assets, [action.id], (asset) => edited(asset, action.patch, picture))
      return
    case 'comment':
    case 'editComment':
    case 'deleteComment':
    case 'react':
      // Shown where the comments are (lib/answers/pending.ts).
      return
    case 'undo':
      for (const post of action.posts) if (isIn(post, collectionId)) put(posts, newest(post, posts))
      for (const asset of action.assets) if (isIn(asset, collectionId)) put(assets, newest(asset, assets))
      return
    default:
      if (action.item === 'post') change(posts, action.ids, (post) => inBulk(post, action, { collectionId, userId }))
      else change(assets, action.ids, (asset) => inBulk(asset, action, { collectionId, userId }))
      if (action.kind === 'trash' && action.item === 'asset') dropPictures(posts, new Set(action.ids))
  }
}

function inBulk<T extends Post | Asset>(row: T, action: BulkAction, where: { collectionId: string; userId: string }): T | null {
  switch (action.kind) {
    case 'trash':
      return null
    case 'location':
      return { ...row, location: action.location }
    case 'people':
      return { ...row, people: [...new Set([...row.people.filter((id) => !action.remove.includes(id)), ...action.add])] }
    case 'unlink':
      if (action.collectionId === where.collectionId) return null
      return { ...row, collections: row.collections.filter(({ collection_id }) => collection_id !== action.collectionId) }
    case 'link': {
      const more = action.collectionIds.filter((id) => !isIn(row, id))
      const links = more.map((collection_id) => ({ collection_id, user_id: where.userId, added_at: row.updated_at }))
      return { ...row, collections: [...row.collections, ...links] }
    }
    case 'date': {
      const target = action.targets[row.id]
      return target ? dated(row, action.change, target) : row
    }
  }
}

function layerOf<T extends Post | Asset>(items: readonly T[]): Layer<T> {
  return { items, rows: rowsById(items), changed: new Map() }
}

function find<T extends { id: string }>({ rows, changed }: Layer<T>, id: string): T | undefined {
  const row = changed.get(id)
  return row === undefined ? rows.get(id) : (row ?? undefined)
}

function put<T extends { id: string }>({ changed }: Layer<T>, row: T): void {
  changed.set(row.id, row)
}

function change<T extends { id: string }>(layer: Layer<T>, ids: readonly string[], to: (row: T) => T | null): void {
  for (const id of ids) {
    const row = find(layer, id)
    if (row) layer.changed.set(id, to(row))
  }
}

function dropPictures(posts: Layer<Post>, gone: ReadonlySet<string>): void {
  const shown = posts.items.filter(({ id }) => !posts.changed.has(id))
  for (const post of [...shown, ...posts.changed.values()]) {
    if (post?.assets.some((asset) => gone.has(asset.id)))
      put(posts, { ...post, assets: post.assets.filter((asset) => !gone.has(asset.id)) })
  }
}

/** A restored row replaces the existing one, whatever its version. */
function newest<T extends { id: string; version: number }>(row: T, layer: Layer<T>): T {
  return { ...row, version: Math.max(row.version, find(layer, row.id)?.version ?? 0) }
}

function settled<T extends Post | Asset>(items: T[], { changed }: Layer<T>): T[] {
  if (changed.size === 0) return items
  const rows = [...changed.values()].filter((row) => row !== null)
  const gone = [...changed].flatMap(([id, row]) => (row === null ? [id] : []))
  return mergeDelta(items, rows, gone)
}
