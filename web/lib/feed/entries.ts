import type { FeedItem } from '../../../contract/feed.ts'

/** What stands as one in the feed: one group of the server's, or all who joined a collection one after another. */
export interface FeedEntry {
  /** Of the oldest in it, which stays while newer ones come. */
  id: string
  /** Milliseconds. */
  at: number
  items: [FeedItem, ...FeedItem[]]
}

const momentOf = ({ at }: Pick<FeedItem, 'at'>): number => Date.parse(at)

/** Newest first, as they come. Whoever joined the same collection on the same day, with nothing between, stands together. */
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

/** Those of others that came after `seenAt`; all of them for somebody who never looked. */
export function newSince(items: readonly FeedItem[], seenAt: string | null, me: string | null): FeedItem[] {
  const seen = seenAt === null ? Number.NEGATIVE_INFINITY : Date.parse(seenAt)
  return items.filter((item) => item.user_id !== me && momentOf(item) > seen)
}

/** How many groups of others there are at the head that the list does not have, or has with less in them. */
export function arrivedAbove(shown: readonly FeedItem[], head: readonly FeedItem[], me: string | null): number {
  const known = new Map(shown.map((item) => [item.id, momentOf(item)]))
  return head.filter((item) => item.user_id !== me && momentOf(item) > (known.get(item.id) ?? Number.NEGATIVE_INFINITY)).length
}

/** The newest page in place of what the list had of its time; what is older stays. `whole`: nothing comes after that page. */
export function mergeHead(shown: readonly FeedItem[], head: readonly FeedItem[], whole: boolean): FeedItem[] {
  const oldest = head.at(-1)
  if (whole || !oldest) return [...head]
  const ids = new Set(head.map(({ id }) => id))
  return [...head, ...shown.filter((item) => !ids.has(item.id) && momentOf(item) <= momentOf(oldest))]
}

/** Another page at the end of the list. What is in both, because it came in again meanwhile, is not repeated. */
export function appendPage(shown: readonly FeedItem[], page: readonly FeedItem[]): FeedItem[] {
  const ids = new Set(shown.map(({ id }) => id))
  return [...shown, ...page.filter(({ id }) => !ids.has(id))]
}
