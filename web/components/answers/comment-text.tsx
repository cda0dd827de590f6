import { Fragment, memo } from 'react'
import type { Comment } from '../../../contract/comments.ts'
import { partsOf, type TextPart } from '../../lib/answers/text.ts'

/** Plain text with its links and mentions, in the direction in which it was written. */
export const CommentText = memo(function CommentText({ text, mentions }: Pick<Comment, 'text' | 'mentions'>) {
  const parts = partsOf(
    text,
    mentions.map(({ name }) => name),
  )
  return (
    <p dir="auto" className="leading-6 whitespace-pre-line wrap-anywhere">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and no state
        <Fragment key={index}>
          <Part part={part} />
        </Fragment>
      ))}
    </p>
  )
})

function Part({ part: { kind, text } }: { part: TextPart }) {
  if (kind === 'text') return text
  if (kind === 'mention') return <bdi className="font-medium text-accent">{text}</bdi>
  return (
    <a href={text} target="_blank" rel="noopener noreferrer nofollow ugc" className="text-accent underline underline-offset-2">
      {text}
    </a>
  )
}
