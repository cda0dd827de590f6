import type { Comment } from '../../../contract/comments.ts'

/** Comments on an item in a collection, as far as they are loaded. */
export interface Thread {
  /** Oldest first. */
  comments: readonly Comment[]
  /** Cursor of the next page; null if nothing is left. */
  cursor: string | null
  /** The last comment that a page brought. Later ones were brought by a change, and there may be others before them. */
  end: Comment | null
  /** It shows everything up to this revision of the collection, perhaps more. */
  revision: number
}

export const NO_THREAD: Thread = { comments: [], cursor: null, end: null, revision: 0 }

export function oldestFirst(a: Pick<Comment, 'created_at' | 'id'>, b: Pick<Comment, 'created_at' | 'id'>): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Brings in comments that came or changed, and takes out deleted ones. Order and repetition do not matter; an older version replaces no newer one. */
export function mergeComments(
  comments: readonly Comment[],
  changed: readonly Comment[],
  deleted: readonly string[] = [],
): readonly Comment[] {
  if (changed.length + deleted.length === 0) return comments
  const rows = new Map(comments.map((comment) => [comment.id, comment]))
  for (const comment of changed) if ((rows.get(comment.id)?.version ?? 0) <= comment.version) rows.set(comment.id, comment)
  for (const id of deleted) rows.delete(id)
  return [...rows.values()].sort(oldestFirst)
}

interface Page {
  comments: readonly Comment[]
  nextCursor: string | null
  revision: number
}

/** The first page begins a thread. The revision of later ones is not taken over: earlier pages may not show what it brought. */
export function withPage(thread: Thread | null, { comments, nextCursor, revision }: Page): Thread {
  return {
    comments: mergeComments(thread?.comments ?? [], comments),
    cursor: nextCursor,
    end: nextCursor === null ? null : (comments.at(-1) ?? thread?.end ?? null),
    revision: thread?.revision ?? revision,
  }
}

/** A comment with the answers to it, and to those: one level is as deep as it gets. */
export interface Branch<T> {
  comment: T
  replies: T[]
}

/** Comments as they are shown: each answer beneath the comment that began its conversation, or on its own if that is not here. */
export function branchesOf<T extends Pick<Comment, 'id' | 'reply_to'>>(comments: readonly T[]): Branch<T>[] {
  const rows = new Map(comments.map((comment) => [comment.id, comment]))
  const rootOf = (comment: T): T => {
    let root = comment
    const seen = new Set<string>()
    for (let next = rows.get(root.reply_to ?? ''); next && !seen.has(next.id); next = rows.get(root.reply_to ?? '')) {
      seen.add(next.id)
      root = next
    }
    return root
  }
  const branches = new Map<string, Branch<T>>()
  for (const comment of comments) {
    const root = rootOf(comment)
    const branch = branches.get(root.id) ?? { comment: root, replies: [] }
    branches.set(root.id, branch)
    if (comment !== root) branch.replies.push(comment)
  }
  return [...branches.values()]
}
