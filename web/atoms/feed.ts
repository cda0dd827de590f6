import { atom } from 'jotai'
import * as contract from '../../contract/feed.ts'
import type { Reaction } from '../../contract/reactions.ts'
import { call } from '../lib/api.ts'
import { device } from '../lib/device/device.ts'
import { answerKey, appendPage, arrivedAbove, mergeHead, newSince, withAnswers } from '../lib/feed/entries.ts'
import { latestOnly } from '../lib/latest-only.ts'
import { failureFrom, type ShownFailure } from '../lib/message-of.ts'
import { collectionsAtom } from './collections.ts'
import { unseenAtom } from './feed-badge.ts'
import { sessionUserIdAtom } from './session.ts'

type FeedItem = contract.FeedItem

/** The newest page from the server. */
interface Head {
  userId: string | null
  items: FeedItem[]
  nextCursor: string | null
  seenAt: string | null
  asOf: string
  fetchedAt: number
}

/** The list on the screen. It changes only when the user asks for it, so that nothing moves while they read. */
interface Visit {
  userId: string | null
  items: FeedItem[]
  nextCursor: string | null
  /** When the user looked last before this visit; null if never. */
  since: string | null
  /** Null for content stored on this device. */
  asOf: string | null
  /** When the user left the feed. Returning soon continues the same visit. */
  leftAt: number | null
}

/** Milliseconds within which leaving and returning count as one visit. */
const SAME_VISIT = 10 * 60_000

/** Milliseconds for which the newest page may start a visit without a new request. */
const FRESH = 30_000

const headAtom = atom<Head | null>(null)
const visitAtom = atom<Visit | null>(null)
const errorAtom = atom<ShownFailure | null>(null)
const moreStateAtom = atom<{ loading: boolean; error: ShownFailure | null }>({ loading: false, error: null })
const watchersAtom = atom(0)

const ownHeadAtom = atom((get) => {
  const head = get(headAtom)
  return head?.userId === get(sessionUserIdAtom) ? get(withinAtom)(head) : null
})

/** Without the groups of collections that the user has left since the answer. */
const withinAtom = atom((get) => {
  const collections = get(collectionsAtom)
  const ids = collections && new Set(collections.map(({ id }) => id))
  return <T extends { items: FeedItem[] }>(page: T): T => {
    const items = ids ? page.items.filter(({ collection_id }) => ids.has(collection_id)) : page.items
    return items.length === page.items.length ? page : { ...page, items }
  }
})

/** Null until there is something to show. */
export const feedVisitAtom = atom((get) => {
  const visit = get(visitAtom)
  return visit?.userId === get(sessionUserIdAtom) ? get(withinAtom)(visit) : null
})
export const feedErrorAtom = atom((get) => get(errorAtom))
export const feedMoreAtom = atom((get) => get(moreStateAtom))

/** Whether the feed is on the screen; it is then refreshed at once when something happens. */
export const feedWatchedAtom = atom((get) => get(watchersAtom) > 0)

/** How many groups by other members wait above the list. */
export const feedArrivalsAtom = atom((get) => {
  const [head, visit] = [get(ownHeadAtom), get(feedVisitAtom)]
  return head && visit && visit.asOf !== null ? arrivedAbove(visit.items, head.items, get(sessionUserIdAtom)) : 0
})

const requests = latestOnly()

export const refreshFeedAtom = atom(null, async (get, set): Promise<void> => {
  const userId = get(sessionUserIdAtom)
  if (userId === null) return
  const request = requests.begin()
  try {
    const { items, nextCursor, seenAt, asOf } = await call(contract.getFeed)
    if (!request.accept()) return
    set(errorAtom, null)
    // This answer may be older than the last recorded visit.
    const last = laterOf(get(ownHeadAtom)?.seenAt ?? null, seenAt)
    set(headAtom, { userId, items, nextCursor, seenAt: last, asOf, fetchedAt: Date.now() })
    set(countUnseenAtom)
    const visit = get(feedVisitAtom)
    // Nothing moves by them.
    if (visit) set(visitAtom, { ...visit, items: withAnswers(visit.items, answersIn(items)) })
    if (get(feedWatchedAtom) && (!visit || visit.asOf === null)) set(beginVisitAtom)
    void device().then((store) => store?.saveFeed(items))
  } catch (error) {
    if (!request.isCurrent()) return
    set(errorAtom, failureFrom(error))
  }
})

function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(a) > Date.parse(b) ? a : b
}

/** Registers that the feed is on the screen; `back` means that the user navigated back to it. Returns a function that unregisters. */
export const openFeedAtom = atom(null, (get, set, back: boolean) => {
  set(watchersAtom, (count) => count + 1)
  const visit = get(feedVisitAtom)
  const goesOn = back && visit?.leftAt != null && Date.now() - visit.leftAt < SAME_VISIT
  set(visitAtom, goesOn && visit ? { ...visit, leftAt: null } : null)
  if (!goesOn) {
    // A page requested before the user signed out never arrives.
    set(moreStateAtom, { loading: false, error: null })
    const head = get(ownHeadAtom)
    if (head && Date.now() - head.fetchedAt < FRESH) set(beginVisitAtom)
    else void set(recallAtom)
  }
  void set(refreshFeedAtom)
  return () => {
    set(watchersAtom, (count) => count - 1)
    const left = get(visitAtom)
    if (left) set(visitAtom, { ...left, leftAt: Date.now() })
  }
})

/** Shows the feed stored on this device until the server answers. */
const recallAtom = atom(null, async (get, set) => {
  const userId = get(sessionUserIdAtom)
  const items = await (await device())?.feed()
  if (!items || userId !== get(sessionUserIdAtom) || get(feedVisitAtom) !== null) return
  set(visitAtom, { userId, items, nextCursor: null, since: null, asOf: null, leftAt: null })
})

const beginVisitAtom = atom(null, (get, set) => {
  const head = get(ownHeadAtom)
  if (!head) return
  const { userId, items, nextCursor, seenAt, asOf } = head
  set(visitAtom, { userId, items, nextCursor, since: seenAt, asOf, leftAt: null })
})

/** Shows the groups that wait above the list. */
export const showArrivalsAtom = atom(null, (get, set) => {
  const [head, visit] = [get(ownHeadAtom), get(feedVisitAtom)]
  if (!head || !visit) return
  const items = mergeHead(visit.items, head.items, head.nextCursor === null)
  const nextCursor = items.length > head.items.length ? visit.nextCursor : head.nextCursor
  set(visitAtom, { ...visit, items, nextCursor, asOf: head.asOf })
})

/** Records the visit on the server, so that the shown groups are new on no other device either. */
export const markSeenAtom = atom(null, async (get, set) => {
  const [head, visit] = [get(ownHeadAtom), get(feedVisitAtom)]
  if (!head || !visit?.asOf || Date.parse(visit.asOf) <= (head.seenAt === null ? Number.NEGATIVE_INFINITY : Date.parse(head.seenAt))) return
  try {
    const { seenAt } = await call(contract.putFeedVisit, { body: { seenAt: visit.asOf } })
    const now = get(ownHeadAtom)
    if (now) set(headAtom, { ...now, seenAt })
    set(countUnseenAtom)
  } catch {
    // The groups stay new; the next visit records it again.
  }
})

/** Counts again, such as after a collection was left. */
export const countUnseenAtom = atom(null, (get, set) => {
  const head = get(ownHeadAtom)
  if (head) set(unseenAtom, newSince(head.items, head.seenAt, head.userId).length)
})

export const fetchMoreFeedAtom = atom(null, async (get, set) => {
  const cursor = get(feedVisitAtom)?.nextCursor
  if (!cursor || get(moreStateAtom).loading) return
  set(moreStateAtom, { loading: true, error: null })
  let error: ShownFailure | null = null
  try {
    const page = await call(contract.getFeed, { query: { cursor } })
    const visit = get(feedVisitAtom)
    // New groups may have restarted the list.
    if (visit?.nextCursor === cursor) set(visitAtom, { ...visit, items: appendPage(visit.items, page.items), nextCursor: page.nextCursor })
  } catch (thrown) {
    error = failureFrom(thrown)
  }
  set(moreStateAtom, { loading: false, error })
})

function answersIn(items: readonly FeedItem[]) {
  return new Map(
    items.flatMap(({ collection_id, thread }) => (thread ? [[answerKey(collection_id, thread.item.id), thread.answers] as const] : [])),
  )
}

/** Brings the answer to an own reaction into the feed. */
export const reactedInFeedAtom = atom(null, (get, set, collectionId: string, id: string, reactions: Reaction[]) => {
  const visit = get(visitAtom)
  if (!visit) return
  const key = answerKey(collectionId, id)
  const comments = answersIn(visit.items).get(key)?.comments ?? 0
  set(visitAtom, { ...visit, items: withAnswers(visit.items, new Map([[key, { comments, reactions }]])) })
})
