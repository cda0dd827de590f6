import { useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { FeedItem } from '../../../contract/feed.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { feedMoreAtom, fetchMoreFeedAtom } from '../../atoms/feed.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { formatExactly, formatSince } from '../../lib/dates/relative-time.ts'
import { type FeedEntry, feedEntries, newSince } from '../../lib/feed/entries.ts'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'
import { useNow } from '../use-now.ts'
import { useRestOfPage } from '../use-rest-of-page.ts'
import { useShortcut } from '../use-shortcut.ts'
import { FeedArticle } from './entry.tsx'

interface FeedListProps {
  items: readonly FeedItem[]
  since: string | null
  /** Cursor of the next page; null on the last one. */
  cursor: string | null
}

/** Enough to fill a screen. */
const FIRST = 8

/** New entries since the last visit, then earlier ones. */
export function FeedList({ items, since, cursor }: FeedListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEntryKeys(list)
  const me = useAtomValue(sessionUserIdAtom)
  const now = useNow()
  const rest = useRestOfPage()
  const collections = useAtomValue(collectionsAtom)
  const byId = useMemo(() => new Map(collections?.map((collection) => [collection.id, collection])), [collections])
  const [fresh, earlier] = useMemo(() => {
    // Entries of a collection that the user has left cannot be opened.
    const open = collections ? items.filter(({ collection_id }) => byId.has(collection_id)) : items
    const seen = newSince(open, since, me).length
    // The user's own entries are not counted as new, but keep their place in time on either side of the border.
    const border = since === null || seen === 0 ? 0 : open.findLastIndex((item) => Date.parse(item.at) > Date.parse(since)) + 1
    return [feedEntries(open.slice(0, border)), feedEntries(open.slice(border))]
  }, [items, collections, byId, since, me])
  const drawn = (entries: readonly FeedEntry[], before = 0) => (rest ? entries : entries.slice(0, Math.max(0, FIRST - before))).map(draw)
  const draw = (entry: FeedEntry) => (
    <li key={entry.id} className="border-b last:border-b-0">
      <FeedArticle entry={entry} collection={byId.get(entry.items[0].collection_id)} me={me} now={now} />
    </li>
  )
  return (
    <div ref={list} className="mx-auto max-w-2xl">
      {fresh.length > 0 && since !== null && (
        <>
          <h2 title={formatExactly(Date.parse(since))} className="flex items-center gap-4 pt-2 text-sm font-medium text-accent">
            <Trans comment="A moment: New since yesterday">New since {formatSince(Date.parse(since), now)}</Trans>
            <span className="h-px grow bg-(--accent) opacity-40" />
          </h2>
          <ol>{drawn(fresh)}</ol>
          {earlier.length > 0 && (
            <h2 className="flex items-center gap-4 pt-6 text-sm font-medium text-muted">
              <Trans>Earlier</Trans>
              <span className="h-px grow bg-(--border)" />
            </h2>
          )}
        </>
      )}
      <h2 className={fresh.length === 0 ? 'sr-only' : 'hidden'}>
        <Trans>What happened</Trans>
      </h2>
      <ol>{drawn(earlier, fresh.length)}</ol>
      {rest && cursor !== null && <MoreOfFeed cursor={cursor} />}
    </div>
  )
}

/** Observer margin, in pixels, at which the next page is requested. */
const AHEAD = '1200px'

/** Requests the next page when the end of the list is near. */
function MoreOfFeed({ cursor }: { cursor: string }) {
  const sentinel = useRef<HTMLDivElement>(null)
  const { loading, error } = useAtomValue(feedMoreAtom)
  const fetchMore = useSetAtom(fetchMoreFeedAtom)
  // Anew for each page: the place may have stayed in sight all the while.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the cursor changes
  useEffect(() => {
    if (!sentinel.current || loading || error) return
    // Several entries tell what happened one after the other; the last is how it is now.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void fetchMore(), { rootMargin: AHEAD })
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [cursor, loading, error, fetchMore])
  return (
    <div ref={sentinel} className="pt-4">
      {error ? <FailedNotice message={error.message} onRetry={() => void fetchMore()} /> : <FeedSkeleton count={2} />}
    </div>
  )
}

export function FeedSkeleton({ count }: { count: number }) {
  return (
    <div role="status" aria-label={t`Loading the feed`} className="mx-auto max-w-2xl">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="flex gap-3 border-b py-5 last:border-b-0">
          <Skeleton rounded="full" className="size-10 shrink-0" />
          <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-2">
            <Skeleton className="h-5 w-64 max-w-full" />
            <Skeleton className="h-4 w-24" />
            <Skeleton rounded="lg" className="mt-1 aspect-[3/2] w-full sm:aspect-[4/1]" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** J and K move between the articles of a list; from elsewhere, to the first visible one. */
function useEntryKeys(list: RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1) => {
    const articles = [...(list.current?.querySelectorAll<HTMLElement>('article') ?? [])]
    const at = articles.findIndex((article) => article.contains(document.activeElement))
    const next = at < 0 ? articles.find((article) => article.getBoundingClientRect().top >= 0) : articles[at + by]
    next?.scrollIntoView({ block: 'nearest' })
    next?.focus({ preventScroll: true })
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
}
