import { atom } from 'jotai'
import { type Comment, listAssetComments, listPostComments } from '../../contract/comments.ts'
import { listPeople } from '../../contract/people.ts'
import type { Subject } from '../lib/answers/pending.ts'
import { mergeComments, type Thread, withPage } from '../lib/answers/thread.ts'
import { ApiError, call } from '../lib/api.ts'
import { failureFrom, type ShownFailure } from '../lib/message-of.ts'
import { knownRevisionAtom } from './content.ts'
import { threadsInAtom } from './live.ts'
import { personalAtom } from './personal.ts'
import { sessionUserIdAtom } from './session.ts'

/** Comments on an item, as far as they are loaded, and the request for more. */
export interface ThreadState {
  subject: Subject
  /** Null until the first page is here. */
  thread: Thread | null
  loading: boolean
  error: ShownFailure | null
}

const keyOf = ({ collectionId, item }: Subject) => `${collectionId} ${item.id}`

const threadsAtom = personalAtom<ReadonlyMap<string, ThreadState>>(new Map())

/** Everything that was opened since the page was loaded: it is there at once when it is opened again. */
export const threadOfAtom = atom((get) => (subject: Subject) => get(threadsAtom).get(keyOf(subject)))

/** How often each thread is on the screen. */
const watchedAtom = atom(() => new Map<string, number>())
/**
 * The requests of a thread, one after the other: a page and a change that overtake each other could lose something. New for each session,
 * since the answers of the one before never come.
 */
const queuesAtom = atom((get) => {
  get(sessionUserIdAtom)
  return new Map<string, Promise<void>>()
})

const patchAtom = atom(null, (get, set, subject: Subject, patch: Partial<ThreadState>) => {
  const key = keyOf(subject)
  const existing = get(threadsAtom).get(key) ?? { subject, thread: null, loading: false, error: null }
  set(threadsAtom, (threads) => new Map(threads).set(key, { ...existing, ...patch }))
})

/** Shows the thread: loads its first page, or what has changed since. Returns a function for when it is off the screen. */
export const watchThreadAtom = atom(null, (get, set, subject: Subject) => {
  const [watched, key] = [get(watchedAtom), keyOf(subject)]
  watched.set(key, (watched.get(key) ?? 0) + 1)
  set(threadsInAtom, (ids) => [...ids, subject.collectionId])
  void set(catchUpAtom, subject)
  return () => {
    watched.set(key, (watched.get(key) ?? 1) - 1)
    set(threadsInAtom, (ids) => ids.toSpliced(ids.indexOf(subject.collectionId), 1))
  }
})

/** Asks for what has changed in the threads on the screen, if something has: up to the known revision, or to one of this collection. */
export const catchUpThreadsAtom = atom(null, async (get, set, collectionId?: string, revision?: number) => {
  for (const { subject, thread } of get(threadsAtom).values()) {
    if (collectionId !== undefined && collectionId !== subject.collectionId) continue
    const known = collectionId === undefined ? get(knownRevisionAtom)(subject.collectionId) : (revision ?? Number.POSITIVE_INFINITY)
    const isBehind = (thread?.revision ?? -1) < known
    if (isBehind && (get(watchedAtom).get(keyOf(subject)) ?? 0) > 0) await set(catchUpAtom, subject)
  }
})

const queueAtom = atom(null, (get, set, subject: Subject, work: () => Promise<Thread | null>): Promise<void> => {
  const [queues, key] = [get(queuesAtom), keyOf(subject)]
  const done = (queues.get(key) ?? Promise.resolve()).then(async () => {
    set(patchAtom, subject, { loading: true })
    try {
      set(patchAtom, subject, { thread: await work(), loading: false, error: null })
    } catch (error) {
      set(patchAtom, subject, { loading: false, error: failureFrom(error) })
    }
  })
  queues.set(key, done)
  return done
})

export const catchUpAtom = atom(null, (get, set, subject: Subject) =>
  set(queueAtom, subject, async () => {
    const thread = get(threadOfAtom)(subject)?.thread
    if (!thread) return withPage(null, await page(subject, {}))
    try {
      const { comments, deleted, revision } = await allSince(subject, thread.revision)
      const now = get(threadOfAtom)(subject)?.thread ?? thread
      return { ...now, comments: mergeComments(now.comments, comments, deleted), revision }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'gone') return withPage(null, await page(subject, {}))
      throw error
    }
  }),
)

/** Loads the next page. */
export const moreOfThreadAtom = atom(null, (get, set, subject: Subject) =>
  set(queueAtom, subject, async () => {
    const thread = get(threadOfAtom)(subject)?.thread ?? null
    if (!thread?.cursor) return thread
    const next = await page(subject, { cursor: thread.cursor })
    return withPage(get(threadOfAtom)(subject)?.thread ?? thread, next)
  }),
)

type Query = { cursor?: string; since?: number }

function page({ item, collectionId }: Subject, query: Query) {
  const options = { params: { id: item.id }, query: { ...query, collection_id: collectionId } }
  return call(item.kind === 'post' ? listPostComments : listAssetComments, options)
}

async function allSince(subject: Subject, since: number) {
  let answer = await page(subject, { since })
  const [comments, deleted, { revision }] = [[...answer.comments], [...(answer.deleted ?? [])], answer]
  while (answer.nextCursor) {
    answer = await page(subject, { since, cursor: answer.nextCursor })
    comments.push(...answer.comments)
    deleted.push(...(answer.deleted ?? []))
  }
  return { comments, deleted, revision }
}

/** Brings the answer to an own comment or edit into the thread. `hides`: it was hidden or shown, which does not raise its version. */
export const applyCommentAtom = atom(null, (get, set, subject: Subject, comment: Comment, hides: boolean) => {
  const thread = get(threadOfAtom)(subject)?.thread
  if (!thread) return
  const existing = thread.comments.find(({ id }) => id === comment.id)
  const news = existing?.version !== comment.version ? comment : hides ? { ...existing, state: comment.state } : null
  if (news) set(patchAtom, subject, { thread: { ...thread, comments: mergeComments(thread.comments, [news]) } })
})

/** People who can be mentioned in a collection's threads. Throws ApiError. */
export const fetchPeopleAtom = atom(null, async (_get, _set, id: string) => (await call(listPeople, { params: { id } })).people)
