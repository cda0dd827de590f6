import { CHANGE_HEADER } from '../../contract/bulk.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import { ApiError } from '../../web/lib/api.ts'
import { mergeDelta } from '../../web/lib/content/merge.ts'
import { edited, targetOf, written } from '../../web/lib/outbox/rows.ts'

export const ME = 'ada'

/** A fake server for posts: versions, revisions, the trash, and undo. */
export function fakeServer() {
  const posts = new Map<string, Post>()
  const gone = new Map<string, Post>()
  const changed = new Map<string, number>()
  const edits = new Map<string, Post[]>()
  let revision = 1
  const touch = (id: string) => changed.set(id, ++revision)
  const row = (id: string) => {
    const post = posts.get(id)
    if (!post) throw new ApiError('not_found', 'The post was not found')
    return post
  }
  const write = (next: Post) => {
    posts.set(next.id, { ...next, version: next.version + 1 })
    touch(next.id)
  }
  const note = (before: Post[], changeId = newId()) => {
    edits.set(changeId, before)
    return changeId
  }
  type Options = { params?: Record<string, string>; body?: Record<string, unknown>; headers?: Record<string, string> }
  function answer({ method, path }: Endpoint, { params = {}, body = {}, headers = {} }: Options): unknown {
    const id = params.id ?? ''
    switch (`${method} ${path}`) {
      case 'POST /api/post': {
        const known = posts.get(String(body.id)) ?? gone.get(String(body.id))
        // The body was parsed by the schema of the action.
        if (!known) write(written({ kind: 'create', post: body as never, author: 'Ada' }, ME, () => undefined))
        return { post: posts.get(String(body.id)) ?? known }
      }
      case 'GET /api/post/{id}':
        return { post: row(id) }
      case 'PATCH /api/post/{id}': {
        const existing = row(id)
        if (headers['if-match'] !== String(existing.version)) throw new ApiError('conflict', 'Somebody changed this post meanwhile')
        write(edited(existing, body, () => undefined))
        return { post: posts.get(id), changeId: note([existing]) }
      }
      case 'POST /api/undo/{changeId}': {
        for (const before of edits.get(params.changeId ?? '') ?? []) {
          const now = posts.get(before.id)
          if (now && now.version !== before.version + 1) throw new ApiError('conflict', 'Somebody changed this since')
        }
        for (const before of edits.get(params.changeId ?? '') ?? []) bringBack(before)
        return {}
      }
      case 'POST /api/trash/restore': {
        const ids = body.postIds as string[]
        if (ids.some((other) => !gone.has(other))) throw new ApiError('not_found', 'Posts not found')
        for (const other of ids) bringBack(gone.get(other) as Post)
        return {}
      }
      case 'DELETE /api/post/{id}':
        // As with one photo, no id of the client's choice.
        return inBulk('/api/post/bulk', { ids: [id] })
      default:
        return inBulk(path, body, headers[CHANGE_HEADER])
    }
  }
  function bringBack(before: Post) {
    write({ ...before, version: (posts.get(before.id) ?? before).version + 1 })
    gone.delete(before.id)
  }
  function inBulk(path: string, body: Record<string, unknown>, changeId = newId()) {
    const ids = body.ids as string[]
    if (edits.has(changeId)) return { changeId, ids }
    const missing = ids.filter((id) => !posts.has(id))
    if (missing.length > 0)
      throw new ApiError('not_found', 'Posts not found', { fields: { ids: `Posts not found: ${missing.join(', ')}` } })
    const before = ids.map(row)
    for (const post of before) {
      if (path.endsWith('bulk.date')) write({ ...post, date: targetOf(post, body).date, date_precision: 'minute' })
      else if (path.endsWith('bulk.location')) write({ ...post, location: body.location as Post['location'] })
      else {
        gone.set(post.id, post)
        posts.delete(post.id)
        touch(post.id)
      }
    }
    return { changeId: note(before, changeId), ids }
  }
  return {
    answer,
    write,
    row: (id: string) => posts.get(id),
    list: () => mergeDelta<Post>([], [...posts.values()]),
    since(from: number) {
      const ids = [...changed].filter(([, at]) => at > from).map(([id]) => id)
      return { rows: ids.flatMap((id) => posts.get(id) ?? []), deleted: ids.filter((id) => !posts.has(id)), revision }
    },
  }
}
