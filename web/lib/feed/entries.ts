import type { FeedItem } from '../../../contract/feed.ts'
import type { Answers } from '../../../contract/reactions.ts'

/** One entry of the feed: a group from the server, or several members who joined a collection in a row. */
export interface FeedEntry {
  /** Id of its oldest item, which stays the same as newer ones arrive. */
  id: string
  /** Milliseconds. */
  at: number
  items: [FeedItem, ...FeedItem[]]
}

const momentOf = ({ at }: Pick<FeedItem, 'at'>): number => Date.parse(at)

/** Both lists are newest first. Members who joined the same collection on the same day, with no other item between, form one entry. */
export function feedEntries(items: readonly FeedItem[]): FeedEntry[] {
  const entries: FeedEntry[] = []
  for (const item of items) {
    const last = entries.at(-1)
    if (last && joinedWith(last, item)) {
      last.items.push(item)
      last.id = item.id
    } else entries.push({ id: item.id, at: momentOf(item), items: [item] })
  }
  return entries
}

function joinedWith({ items: [newest] }: FeedEntry, item: FeedItem): boolean {
  const sameDay = newest.at.slice(0, 10) === item.at.slice(0, 10)
  return newest.kind === 'member' && item.kind === 'member' && newest.collection_id === item.collection_id && sameDay
}

/** Items by other users after `seenAt`; all of them if the feed was never viewed. */
export function newSince(items: readonly FeedItem[], seenAt: string | null, me: string | null): FeedItem[] {
  const seen = seenAt === null ? Number.NEGATIVE_INFINITY : Date.parse(seenAt)
  return items.filter((item) => item.user_id !== me && momentOf(item) > seen)
}

/** Number of groups by other users in `head` that are missing from the list, or are newer than there. */
export function arrivedAbove(shown: readonly FeedItem[], head: readonly FeedItem[], me: string | null): number {
  const known = new Map(shown.map((item) => [item.id, momentOf(item)]))
  return head.filter((item) => item.user_id !== me && momentOf(item) > (known.get(item.id) ?? Number.NEGATIVE_INFINITY)).length
}

/**
 * Replaces the part of the list that the newest page covers; older items stay, unless there may be others between that page and the list.
 * `whole`: nothing comes after that page.
 */
export function mergeHead(shown: readonly FeedItem[], head: readonly FeedItem[], whole: boolean): FeedItem[] {
  const [newest, oldest] = [shown[0], head.at(-1)]
  if (whole || !newest || !oldest || momentOf(oldest) > momentOf(newest)) return [...head]
  const ids = new Set(head.map(({ id }) => id))
  return [...head, ...shown.filter((item) => !ids.has(item.id) && momentOf(item) <= momentOf(oldest))]
}

/** Appends a page to the list, without the items that moved to a newer position meanwhile. */
export function appendPage(shown: readonly FeedItem[], page: readonly FeedItem[]): FeedItem[] {
  const ids = new Set(shown.map(({ id }) => id))
  return [...shown, ...page.filter(({ id }) => !ids.has(id))]
}

/** Names an item in a collection. */
export const answerKey = (collectionId: string, id: string) => `${collectionId} ${id}`

/** The items with what people said about them by now; items of which nothing is known stay as they are. */
export function withAnswers(items: readonly FeedItem[], answers: ReadonlyMap<string, Answers | null>): FeedItem[] {
  return items.map((item) => {
    const now = item.thread ? answers.get(answerKey(item.collection_id, item.thread.item.id)) : undefined
    return item.thread && now !== undefined ? { ...item, thread: { ...item.thread, answers: now } } : item
  })
}
