import { memo } from 'react'
import { Link } from 'react-router'
import type { Collection } from '../../../contract/collections.ts'
import type { FeedItem } from '../../../contract/feed.ts'
import { formatAgo, formatExactly } from '../../lib/dates/relative-time.ts'
import type { FeedEntry } from '../../lib/feed/entries.ts'
import { commentedText, contentText, namesOf } from '../../lib/feed/words.ts'
import { collectionLink } from '../../lib/links.ts'
import type { CollectionView } from '../../view-table.ts'
import { CollectionIcon, primaryOf } from '../collection-icon.tsx'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { UserAvatar } from '../user-avatar.tsx'
import { FeedComment } from './comment.tsx'
import { FeedPhotos, FeedPosts } from './photos.tsx'

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

const TEXT: Record<FeedItem['kind'], (item: FeedItem) => string> = {
  asset: (item) => `added ${contentText(item)} to`,
  post: (item) => `added ${contentText(item)} to`,
  member: () => 'joined',
  comment: commentedText,
}

/** One entry of the feed: who did what, in which collection, with photos or posts. */
export const FeedArticle = memo(function FeedArticle({ entry, collection, me, now }: FeedArticleProps) {
  const [item] = entry.items
  const { kind, user_name, collection_id, collection_name } = item
  const name = `feed-${entry.id}`
  const who = kind === 'member' ? namesOf(entry.items.map((joined) => joined.user_name)) : item.user_id === me ? 'You' : user_name
  return (
    <article aria-labelledby={name} tabIndex={-1} className="scroll-my-24 flex gap-3 rounded-lg py-5 outline-offset-4">
      <UserAvatar userId={item.user_id} name={user_name} version={item.user_avatar} size="xl" />
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-3">
        <div>
          <h3 id={name} className="text-pretty wrap-anywhere">
            <span className="font-semibold">{who}</span> {TEXT[kind](item)}{' '}
            <Link
              to={collectionLink(viewOf(item), collection_id)}
              data-primary={primaryOf(collection?.theme ?? null)}
              className="font-semibold text-accent underline-offset-2 hover:underline"
            >
              {collection && (
                <span className="mr-1 inline-block align-[-0.2em]">
                  <CollectionIcon icon={collection.icon} size={18} />
                </span>
              )}
              {collection?.name ?? collection_name}
            </Link>
          </h3>
          <time dateTime={item.at} title={formatExactly(entry.at)} className="text-sm text-muted tabular">
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
