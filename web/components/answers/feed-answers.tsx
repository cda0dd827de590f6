import { useMemo, useState } from 'react'
import type { FeedItem } from '../../../contract/feed.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import type { ItemKind } from '../../lib/outbox/types.ts'
import { lazyPart, OptionalPart } from '../optional-part.tsx'
import { ItemAnswers } from './item-answers.tsx'

const Thread = lazyPart(async () => (await import('./thread.tsx')).Thread)

/** What people say about the one item of an entry in the feed. The comments open below, where they are answered. */
export function FeedAnswers({ item, kind }: { item: FeedItem; kind: ItemKind }) {
  const [sample] = item.samples
  const [collectionId, id] = [item.collection_id, sample?.id ?? '']
  const subject = useMemo((): Subject => ({ collectionId, item: { kind, id } }), [collectionId, kind, id])
  const [open, setOpen] = useState<'read' | 'write' | null>(null)
  if (!sample) return null
  const { answers, title } = sample
  return (
    <>
      <ItemAnswers
        subject={subject}
        answers={answers}
        title={title}
        expanded={open !== null}
        open={() => setOpen(open ? null : answers?.comments ? 'read' : 'write')}
      />
      {open && (
        <section aria-label={`Comments: ${title}`} className="pt-2 pb-4">
          <OptionalPart>
            <Thread subject={subject} title={title} autoFocus={open === 'write'} />
          </OptionalPart>
        </section>
      )}
    </>
  )
}
