import { useAtomValue } from 'jotai'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Post } from '../../../contract/posts.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import { threadOfAtom } from '../../atoms/threads.ts'
import type { Subject } from '../../lib/answers/pending.ts'
import { ReactionList } from './reaction-list.tsx'
import { Thread } from './thread.tsx'
import { useAnswers } from './use-answers.ts'

interface PostAnswersProps {
  post: Post
  /** The post was opened for its comments. */
  first: boolean
}

/** Reactions to a post and comments on it, below its text. */
export function PostAnswers({ post, first }: PostAnswersProps) {
  const collectionId = useAtomValue(selectedCollectionIdAtom) ?? ''
  const { id, title } = post
  const subject = useMemo((): Subject => ({ collectionId, item: { kind: 'post', id } }), [collectionId, id])
  const { reactions, whyNot, react } = useAnswers(subject, post.answers, title)
  const heading = useRef<HTMLHeadingElement>(null)
  const isHere = Boolean(useAtomValue(threadOfAtom)(subject)?.thread)
  // Again once the comments are here, which make room for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  useLayoutEffect(() => {
    if (!first || !heading.current) return
    scrollToTop(heading.current)
    heading.current.focus({ preventScroll: true })
  }, [first, isHere])
  return (
    <section aria-label={t`Comments`} className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t pt-5">
      <div className="flex min-h-8 flex-wrap items-center gap-1.5">
        <h3 ref={heading} tabIndex={-1} className="me-2 font-semibold outline-none">
          <Trans>Comments</Trans>
        </h3>
        <ReactionList reactions={reactions} whyNot={whyNot} onToggle={react} />
      </div>
      <Thread subject={subject} title={title} />
    </section>
  )
}

/** Pixels above the heading. */
const ABOVE = 20

/** Scrolls the reader alone: `scrollIntoView` would move what is around it too. */
function scrollToTop(element: HTMLElement): void {
  const page = element.closest('[data-scroller]')
  if (page) page.scrollTop += element.getBoundingClientRect().top - page.getBoundingClientRect().top - ABOVE
}
