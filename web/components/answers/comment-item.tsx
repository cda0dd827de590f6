import { useAtomValue, useSetAtom } from 'jotai'
import { memo, type ReactNode, useRef, useState } from 'react'
import { joined } from '#language'
import { t } from '#say'
import { Trans } from '#say/react'
import { editCommentAtom } from '../../atoms/answers.ts'
import { unsavedItemsAtom } from '../../atoms/pending.ts'
import type { ShownComment } from '../../lib/answers/pending.ts'
import { authorName, importerName } from '../../lib/answers/who.ts'
import { formatAgo, formatExactly } from '../../lib/dates/relative-time.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { UserAvatar } from '../user-avatar.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentMenu, Refused } from './comment-menu.tsx'
import { CommentText } from './comment-text.tsx'
import { ReactionList } from './reaction-list.tsx'

export interface CommentItemProps {
  comment: ShownComment
  /** Name of whom it answers, where that is not plain from where it stands. */
  answers?: string | undefined
  /** Id of the user. */
  me: string
  mayHide: boolean
  whyNot: string | undefined
  now: number
  onReply: (comment: ShownComment) => void
  onReact: (comment: ShownComment, emoji: string, on: boolean) => void
}

export const CommentItem = memo(function CommentItem(props: CommentItemProps) {
  const { comment, answers, me, now } = props
  const { id, author, state, created_at, edited_at } = comment
  const [editing, setEditing] = useState(false)
  const item = useRef<HTMLElement>(null)
  const close = () => {
    setEditing(false)
    item.current?.focus()
  }
  if (state === 'deleted') return <Gone id={id} icon="delete" text={t`This comment was deleted`} />
  if (state === 'hidden' && comment.text === '') return <Gone id={id} icon="visibility-off" text={t`This comment was hidden by an admin`} />
  const moment = Date.parse(created_at)
  const name = authorName(author)
  const importer = importerName(author)
  return (
    <article
      ref={item}
      tabIndex={-1}
      id={`comment-${id}`}
      aria-label={joined([name, formatAgo(moment, now)])}
      className="flex gap-2.5 rounded-md outline-offset-4"
    >
      <UserAvatar userId={importer === null ? author.id : null} name={name} size="sm" />
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-semibold wrap-anywhere">{name}</bdi>
          {importer !== null && (
            <span className="text-xs text-muted wrap-anywhere">
              <Trans>
                imported by <bdi>{importer}</bdi>
              </Trans>
            </span>
          )}
          {answers && (
            <span className="inline-flex min-w-0 items-center gap-0.5 text-xs text-muted">
              <Icon name="reply" size={14} className="self-center" />
              <Trans comment="Beside the name of who wrote a comment: whom it answers">
                <span className="sr-only">answers </span>
                <bdi className="truncate">{answers}</bdi>
              </Trans>
            </span>
          )}
          <time dateTime={created_at} title={formatExactly(moment)} className="text-xs text-muted tabular-nums">
            {formatAgo(moment, now)}
          </time>
          {edited_at && (
            <span title={formatExactly(Date.parse(edited_at))} className="text-xs text-muted">
              <Trans>edited</Trans>
            </span>
          )}
          <Marks comment={comment} me={me} />
        </p>
        {editing ? <EditForm comment={comment} onClose={close} /> : <Body {...props} onEdit={() => setEditing(true)} />}
      </div>
    </article>
  )
})

function Body({ comment, me, mayHide, whyNot, onReply, onReact, onEdit }: CommentItemProps & { onEdit: () => void }) {
  const { state, problem, reactions } = comment
  return (
    <>
      <div className={cx('text-[0.9375rem]', state === 'hidden' && 'text-muted')}>
        <CommentText text={comment.text} mentions={comment.mentions} />
      </div>
      {problem ? (
        <Refused comment={comment} problem={problem} />
      ) : (
        <div className={cx('flex min-h-8 flex-wrap items-center gap-1', reactions.length === 0 && '-ms-2')}>
          <ReactionList reactions={reactions} whyNot={whyNot} size="xs" onToggle={(emoji, on) => onReact(comment, emoji, on)}>
            {!whyNot && (
              <Button variant="ghost" size="xs" onClick={() => onReply(comment)} aria-label={t`Reply to ${authorName(comment.author)}`}>
                <Trans context="verb">Reply</Trans>
              </Button>
            )}
            <CommentMenu comment={comment} own={comment.author.id === me} mayHide={mayHide} whyNot={whyNot} onEdit={onEdit} />
          </ReactionList>
        </div>
      )}
    </>
  )
}

function EditForm({ comment, onClose }: { comment: ShownComment; onClose: () => void }) {
  const edit = useSetAtom(editCommentAtom)
  return (
    <div className="pt-1 pb-2">
      <CommentForm
        collectionId={comment.collection_id}
        label={t`Edit the comment`}
        draftOf={`${comment.id} edit`}
        initial={comment.text}
        action={t`Save`}
        autoFocus
        onSend={async (text, mentions) => {
          if (text !== comment.text) await edit(comment, { text, mentions })
        }}
        onClose={onClose}
      />
    </div>
  )
}

function Marks({ comment: { id, state, author, problem }, me }: Pick<CommentItemProps, 'comment' | 'me'>) {
  const unsaved = useAtomValue(unsavedItemsAtom).has(id)
  return (
    <>
      {unsaved && !problem && (
        <Mark icon="cloud-off" className="text-warning">
          <Trans>Not sent yet</Trans>
        </Mark>
      )}
      {state === 'hidden' && (
        <Mark icon="visibility-off" className="text-warning">
          {author.id === me ? t`Hidden: only you and admins see it` : t`Hidden from others`}
        </Mark>
      )}
    </>
  )
}

function Mark({ icon, className, children }: { icon: IconName; className: string; children: ReactNode }) {
  return (
    <span className={cx('inline-flex items-center gap-1 self-center text-xs', className)}>
      <Icon name={icon} size={14} className="self-center" />
      {children}
    </span>
  )
}

function Gone({ id, icon, text }: { id: string; icon: IconName; text: string }) {
  return (
    <p id={`comment-${id}`} className="flex min-h-7 items-center gap-2.5 text-sm text-muted italic">
      <span className="grid size-7 shrink-0 place-items-center rounded-full bg-muted">
        <Icon name={icon} size={16} />
      </span>
      {text}
    </p>
  )
}
