import { useSetAtom } from 'jotai'
import { memo, useCallback, useState } from 'react'
import { t } from '#say'
import { commentAtom } from '../../atoms/answers.ts'
import type { ShownComment, Subject } from '../../lib/answers/pending.ts'
import type { Branch } from '../../lib/answers/thread.ts'
import { authorName } from '../../lib/answers/who.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem, type CommentItemProps } from './comment-item.tsx'

interface ThreadBranchProps extends Omit<CommentItemProps, 'comment' | 'answers' | 'onReply'> {
  subject: Subject
  branch: Branch<ShownComment>
}

/** Where an unfinished reply to a comment is kept on this device. */
export const replyDraftOf = (id: string) => `${id} reply`

/** A comment, and the answers to it indented beneath. */
export const ThreadBranch = memo(
  function ThreadBranch({ subject, branch, ...item }: ThreadBranchProps) {
    const { comment, replies } = branch
    const [answeredId, setAnsweredId] = useState<string | null>(null)
    const answered = [comment, ...replies].find(({ id, state }) => id === answeredId && state !== 'deleted')
    const answeredBy = (reply: ShownComment) => {
      const first = reply.reply_to === comment.id ? undefined : replies.find(({ id }) => id === reply.reply_to)
      return first && authorName(first.author)
    }
    const send = useSetAtom(commentAtom)
    const onReply = useCallback((to: ShownComment) => setAnsweredId(to.id), [])
    const close = () => {
      const from = document.getElementById(`comment-${answeredId}`)
      setAnsweredId(null)
      from?.focus()
    }
    return (
      <li className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CommentItem comment={comment} {...item} onReply={onReply} />
        {(replies.length > 0 || answered) && (
          <div className="ms-3.5 grid grid-cols-[minmax(0,1fr)] gap-3 border-s ps-6">
            {replies.length > 0 && (
              <ol aria-label={t`Answers to ${authorName(comment.author)}`} className="grid grid-cols-[minmax(0,1fr)] gap-3">
                {replies.map((reply) => (
                  <li key={reply.id}>
                    <CommentItem comment={reply} answers={answeredBy(reply)} {...item} onReply={onReply} />
                  </li>
                ))}
              </ol>
            )}
            {answered && (
              <CommentForm
                key={answered.id}
                collectionId={subject.collectionId}
                label={t`Reply to ${authorName(answered.author)}`}
                draftOf={replyDraftOf(answered.id)}
                action={t({ message: 'Reply', context: 'verb' })}
                autoFocus
                onSend={(text, mentions) => send(subject, { text, mentions, replyTo: answered.id })}
                onClose={close}
              />
            )}
          </div>
        )}
      </li>
    )
  },
  (before, after) =>
    before.branch.comment === after.branch.comment &&
    before.branch.replies.length === after.branch.replies.length &&
    before.branch.replies.every((reply, index) => reply === after.branch.replies[index]) &&
    before.whyNot === after.whyNot &&
    before.now === after.now &&
    before.mayHide === after.mayHide &&
    before.onReact === after.onReact,
)
