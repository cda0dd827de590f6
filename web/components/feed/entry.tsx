import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Plural, Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import type { FeedItem } from '../../../contract/feed.ts'
import { personName } from '../../../contract/person-name.ts'
import { formatAgo, formatExactly } from '../../lib/dates/relative-time.ts'
import type { FeedEntry } from '../../lib/feed/entries.ts'
import { contentText, namesOf } from '../../lib/feed/words.ts'
import { collectionLink } from '../../lib/links.ts'
import { cx } from '../../ui/cx.ts'
import type { CollectionView } from '../../view-table.ts'
import { CollectionIcon, primaryOf } from '../collection-icon.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { UserAvatar } from '../user-avatar.tsx'
import { FeedComment } from './comment.tsx'
import { FeedPhotos, FeedPosts } from './photos.tsx'
import { thingText } from './thing.ts'

const FeedAnswers = lazyPart(async () => (await import('../answers/feed-answers.tsx')).FeedAnswers)

interface FeedArticleProps {
  entry: FeedEntry
  collection: Collection | undefined
  me: string | null
  now: number
}

/** The view that the collection's name links to. */
const viewOf = ({ kind, thread }: FeedItem): CollectionView =>
  kind === 'member' ? 'settings' : kind === 'post' || thread?.item.kind === 'post' ? 'timeline' : 'media'

/** One entry of the feed: who did what, in which collection, with photos or posts. */
export const FeedArticle = memo(function FeedArticle({ entry, collection, me, now }: FeedArticleProps) {
  const [item] = entry.items
  const { kind, user_name, collection_id, collection_name } = item
  const name = `feed-${entry.id}`
  return (
    <article aria-labelledby={name} tabIndex={-1} className="scroll-my-24 flex gap-3 rounded-lg py-5 outline-offset-4">
      <UserAvatar userId={item.user_id} name={personName(user_name)} version={item.user_avatar} size="xl" />
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-3">
        <div>
          <h3 id={name} className="text-pretty wrap-anywhere">
            <Deed
              entry={entry}
              me={me}
              place={
                <Link
                  to={collectionLink(viewOf(item), collection_id)}
                  data-primary={primaryOf(collection?.theme ?? null)}
                  className={cx('font-semibold text-accent underline-offset-2 hover:underline', collection && 'relative ps-5.5')}
                >
                  {/* Out of the text, in which it could stay alone at the end of a line. */}
                  {collection && (
                    <span className="absolute start-0 mt-[0.2em]">
                      <CollectionIcon icon={collection.icon} size={18} />
                    </span>
                  )}
                  {collection?.name ?? collection_name}
                </Link>
              }
            />
          </h3>
          <time dateTime={item.at} title={formatExactly(entry.at)} className="text-sm text-muted tabular-nums">
            {formatAgo(entry.at, now)}
          </time>
        </div>
        {kind === 'asset' && item.samples.length > 0 && <FeedPhotos item={item} />}
        {kind === 'post' && item.samples.length > 0 && <FeedPosts item={item} />}
        {kind === 'comment' && <FeedComment item={item} />}
        {item.thread && (
          <div className="-mb-2 min-h-8 pointer-coarse:min-h-11">
            <OptionalPart>
              <FeedAnswers item={item} thread={item.thread} />
            </OptionalPart>
          </div>
        )}
      </div>
    </article>
  )
})

/** `Ana added 42 photos to Kyoto`. */
function Deed({ entry, me, place }: { entry: FeedEntry; me: string | null; place: ReactNode }) {
  const [item] = entry.items
  const names = item.kind === 'member' ? namesOf(entry.items.map(({ user_name }) => personName(user_name))) : personName(item.user_name)
  const who = <span className="font-semibold">{names}</span>
  if (item.kind === 'member')
    return (
      <Trans>
        {who} <Plural value={entry.items.length} one="joined" other="joined" /> {place}
      </Trans>
    )
  if (item.kind === 'comment') return <Commented item={item} who={who} place={place} />
  const content = contentText(item)
  return item.user_id === me ? (
    <Trans>
      <span className="font-semibold">You</span> added {content} to {place}
    </Trans>
  ) : (
    <Trans>
      {who} added {content} to {place}
    </Trans>
  )
}

/** `Ana and 2 others commented on your photo and mentioned you in Kyoto`; `who` wrote the newest comment. */
function Commented({ item: { thread, comment }, who, place }: { item: FeedItem; who: ReactNode; place: ReactNode }) {
  const { others = 0, mentioned = false, own = false } = comment ?? {}
  const thing = thingText(thread, own)
  if (others === 0)
    return mentioned ? (
      <Trans>
        {who} mentioned you in a comment on {thing} in {place}
      </Trans>
    ) : (
      <Trans>
        {who} commented on {thing} in {place}
      </Trans>
    )
  return mentioned ? (
    <Trans>
      {who} <Plural value={others} one="and # other" other="and # others" /> commented on {thing} and mentioned you in {place}
    </Trans>
  ) : (
    <Trans>
      {who} <Plural value={others} one="and # other" other="and # others" /> commented on {thing} in {place}
    </Trans>
  )
}
