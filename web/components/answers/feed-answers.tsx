import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { t } from '#say'
import { commentsPath } from '../../../contract/comments-path.ts'
import type { FeedItem, FeedThread } from '../../../contract/feed.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import { onTheFirst } from '../feed/thing.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { ItemAnswers } from './item-answers.tsx'

const Thread = lazyPart(async () => (await import('./thread.tsx')).Thread)

/**
 * What people say about the one item of an entry in the feed, or the first of several, which is said then. The comments open below, where they are
 * answered.
 */
export function FeedAnswers({ item, thread }: { item: FeedItem; thread: FeedThread }) {
  const { collection_id: collectionId, kind: entry, count } = item
  const { answers, title } = thread
  const { kind, id } = thread.item
  const subject = useMemo((): Subject => ({ collectionId, item: { kind, id } }), [collectionId, kind, id])
  const [open, setOpen] = useState<'read' | 'write' | null>(null)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-1.5">
        <ItemAnswers
          subject={subject}
          answers={answers}
          title={title}
          expanded={open !== null}
          open={() => setOpen(open ? null : answers?.comments ? 'read' : 'write')}
        />
        {count > 1 && entry !== 'comment' && (
          <Link
            to={commentsPath(collectionId, thread.item)}
            className="flex min-h-8 items-center text-sm text-muted underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            {onTheFirst(thread)}
          </Link>
        )}
      </div>
      {open && (
        <section aria-label={t`Comments: ${title}`} className="pt-2 pb-4">
          <OptionalPart>
            {/* The entry is about its next photo once the first one is gone. */}
            <Thread key={id} subject={subject} title={title} autoFocus={open === 'write'} />
          </OptionalPart>
        </section>
      )}
    </>
  )
}
