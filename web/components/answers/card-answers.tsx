import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { Post } from '../../../contract/posts.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import { ItemAnswers } from './item-answers.tsx'

/** What people said about a post, on its card. */
export function CardAnswers({ post, onOpen }: { post: Post; onOpen: () => void }) {
  const collectionId = useAtomValue(selectedCollectionIdAtom) ?? ''
  const { id } = post
  const subject = useMemo((): Subject => ({ collectionId, item: { kind: 'post', id } }), [collectionId, id])
  return <ItemAnswers subject={subject} answers={post.answers} title={post.title} open={onOpen} />
}
