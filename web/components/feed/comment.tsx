import { Link } from 'react-router'
import { commentsPath } from '../../../contract/comments-path.ts'
import type { FeedItem } from '../../../contract/feed.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { postIcon } from '../item-icons.ts'
import { Face } from './photos.tsx'

/** The newest comment of an entry, beside the item that it is about. Opens the item at its comments. */
export function FeedComment({ item }: { item: FeedItem }) {
  const { collection_id, comment, thread, samples } = item
  const [sample] = samples
  if (!comment || !thread || !sample) return null
  const isPost = thread.item.kind === 'post'
  const picture = isPost ? sample.cover : sample
  return (
    <Link
      to={commentsPath(collection_id, thread.item)}
      className={cx(
        'flex min-h-14 items-center gap-3 overflow-hidden rounded-lg border bg-raised outline-offset-[-3px] transition-colors duration-(--fast) hover:bg-muted',
        picture ? 'p-3' : 'px-4 py-3',
      )}
    >
      {picture && (
        <span className="relative size-16 shrink-0 overflow-hidden rounded-md bg-muted">
          <Face picture={picture} name={isPost ? '' : sample.title} size="thumb" />
        </span>
      )}
      <span className="grid min-w-0 grow gap-1">
        <span dir="auto" className="line-clamp-3 wrap-anywhere">
          {comment.text}
        </span>
        {isPost ? (
          <span className="flex items-center gap-1.5 text-sm text-muted">
            <Icon name={postIcon(thread.type)} size={16} />
            <span className="min-w-0 truncate" dir="auto">
              {thread.title}
            </span>
          </span>
        ) : (
          <span className="sr-only">{thread.title}</span>
        )}
      </span>
    </Link>
  )
}
