import { t } from '#say'
import { listAssets } from '../../../contract/assets.ts'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { createPerson, listPeople } from '../../../contract/people.ts'
import { fitLine } from '../../../contract/photos/fit.ts'
import { listPosts } from '../../../contract/posts.ts'
import { listTrash } from '../../../contract/trash.ts'
import { call } from '../api.ts'
import type { ChatNote } from './chat-day.ts'
import { sourceIn } from './imported-id.ts'
import type { ImportPlan, Refused } from './types.ts'

export interface AlreadyHere {
  /** Ids of posts in the collection that the archive was exported from. */
  posts: ReadonlySet<string>
  /** Ids of its assets by checksum. */
  assets: ReadonlyMap<string, string>
  /** Notes of the collection by id, if the plan has messages of a chat. */
  notes: ReadonlyMap<string, ChatNote>
  /** Posts in the trash, whose ids cannot be used again. */
  trashed: ReadonlySet<string>
  /** Ids of posts in the collection, or else in the trash, by what their ids say of the source. */
  bySource: ReadonlyMap<string, string>
}

/** Content that an import must not create again. An archive imported into its own collection finds its posts and files there. */
export async function findAlreadyHere({ collection, posts }: ImportPlan, collectionId: string): Promise<AlreadyHere> {
  const [inPosts, inAssets, trashed] = [new Set<string>(), new Map<string, string>(), new Set<string>()]
  const [notes, bySource] = [new Map<string, ChatNote>(), new Map<string, string>()]
  const [isOwn, hasChat] = [collection?.sourceId === collectionId, posts.some(({ chatDay }) => chatDay)]
  if (posts.length > 0) {
    for await (const page of pagesOf((cursor) => call(listTrash, { query: pageAt(cursor) })))
      for (const { id } of page.posts) {
        trashed.add(id)
        bySource.set(sourceIn(id), id)
      }
    for await (const page of pagesOf((cursor) => call(listPosts, { query: { ...pageAt(cursor), collection_id: collectionId } })))
      for (const { id, body, version } of page.posts) {
        bySource.set(sourceIn(id), id)
        if (isOwn) inPosts.add(id)
        if (hasChat) notes.set(id, { body, version })
      }
  }
  if (isOwn) {
    for await (const page of pagesOf((cursor) => call(listAssets, { query: { ...pageAt(cursor), collection_id: collectionId } })))
      for (const { id, checksum } of page.assets) inAssets.set(checksum, id)
  }
  return { posts: inPosts, assets: inAssets, notes, trashed, bySource }
}

const pageAt = (cursor: string | null) => ({ limit: LIMITS.defaultPageSize, ...(cursor && { cursor }) })

async function* pagesOf<P extends { nextCursor: string | null }>(ask: (cursor: string | null) => Promise<P>): AsyncGenerator<P> {
  for (let cursor: string | null = null; ; ) {
    const page: P = await ask(cursor)
    yield page
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

/** Ids by key of the plan's people: existing people of the same name, or new ones. Failures are added to `failed`. */
export async function peopleFor(plan: ImportPlan, collectionId: string, failed: Refused[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  if (plan.people.size === 0) return ids
  const params = { id: collectionId }
  const free = (await call(listPeople, { params })).people
  for (const [key, planned] of plan.people) {
    const name = fitLine(planned, LIMITS.personName)
    if (!name) continue
    // Two people may have the same name: each is used once.
    const at = free.findIndex((person) => person.name.toLowerCase() === name.toLowerCase())
    const [known] = at >= 0 ? free.splice(at, 1) : []
    try {
      ids.set(key, known?.id ?? (await call(createPerson, { params, body: { id: newId(), name } })).person.id)
    } catch (error) {
      failed.push({ name, reason: error instanceof Error ? error.message : t`This person could not be added` })
    }
  }
  return ids
}
