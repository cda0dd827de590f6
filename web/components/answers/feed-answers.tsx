import { useMemo } from 'react'
import { commentsPath } from '../../../contract/comments-path.ts'
import type { FeedItem } from '../../../contract/feed.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import type { ItemKind } from '../../lib/outbox/types.ts'
import { ItemAnswers } from './item-answers.tsx'

/** What people said about the one item of an entry in the feed. */
export function FeedAnswers({ item, kind }: { item: FeedItem; kind: ItemKind }) {
  const [sample] = item.samples
  const [collectionId, id] = [item.collection_id, sample?.id ?? '']
  const subject = useMemo((): Subject => ({ collectionId, item: { kind, id } }), [collectionId, kind, id])
  if (!sample) return null
  return <ItemAnswers subject={subject} answers={sample.answers} title={sample.title} open={commentsPath(collectionId, subject.item)} />
}
