import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { may } from '../../../contract/policy.ts'
import { commentAtom, reactAtom } from '../../atoms/answers.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { operationsAtom } from '../../atoms/pending.ts'
import { catchUpAtom, moreOfThreadAtom, threadOfAtom, watchThreadAtom } from '../../atoms/threads.ts'
import { type ShownComment, type Subject, withPending } from '../../lib/answers/pending.ts'
import { branchesOf, oldestFirst } from '../../lib/answers/thread.ts'
import { authorName } from '../../lib/answers/who.ts'
import { readWords, writeWords } from '../../lib/posts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { FailedNotice, Skeleton } from '../../ui/states.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useNow } from '../use-now.ts'
import { UserAvatar } from '../user-avatar.tsx'
import { CommentForm } from './comment-form.tsx'
import { replyDraftOf, ThreadBranch } from './thread-branch.tsx'
import { useMe, useWhyNotAnswer } from './use-answers.ts'

interface ThreadProps {
  subject: Subject
  /** Names the item in messages. */
  title: string
  /** Of the field for a new comment, which stays in sight in a panel of its own. */
  formClass?: string
  /** The field for a new comment has the focus. */
  autoFocus?: boolean
}

/** Comments on an item, and a field for another one. Loaded when the item is opened; live while it is. */
export function Thread({ subject, title, formClass = '', autoFocus = false }: ThreadProps) {
  const { state, comments } = useThread(subject)
  const more = useSetAtom(moreOfThreadAtom)
  const whyNot = useWhyNotAnswer(subject.collectionId)
  const [before, after] = useMemo(() => {
    const end = state?.thread?.end
    const branches = branchesOf(comments)
    const at = end ? branches.findIndex(({ comment }) => oldestFirst(comment, end) > 0) : -1
    return at < 0 ? [branches, []] : [branches.slice(0, at), branches.slice(at)]
  }, [comments, state?.thread?.end])
  const branch = useBranchProps(subject, title, whyNot)
  const draw = (branches: typeof before) => branches.map((one) => <ThreadBranch key={one.comment.id} branch={one} {...branch} />)
  const thread = state?.thread
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      {state?.error && !state.loading && (
        <ThreadError subject={subject} known={!!thread} offline={state.error.code === 'offline'} message={state.error.message} />
      )}
      {!thread && !state?.error && <ThreadSkeleton />}
      {comments.length > 0 && (
        <ol aria-label={t`Comments`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {draw(before)}
          {thread?.cursor && (
            <li>
              <Button size="sm" loading={state?.loading ?? false} onClick={() => void more(subject)}>
                <Trans>Show more comments</Trans>
              </Button>
            </li>
          )}
          {draw(after)}
        </ol>
      )}
      {thread && comments.length === 0 && (
        <p className="text-sm text-muted">{whyNot ? t`No comments.` : t`No comments yet. Say something about it.`}</p>
      )}
      <Arrivals comments={comments} known={thread !== null && thread !== undefined} />
      <NewComment subject={subject} comments={comments} whyNot={whyNot} className={formClass} autoFocus={autoFocus} />
    </div>
  )
}

function useThread(subject: Subject) {
  const watch = useSetAtom(watchThreadAtom)
  useEffect(() => watch(subject), [watch, subject])
  const state = useAtomValue(threadOfAtom)(subject)
  const operations = useAtomValue(operationsAtom)
  const me = useMe()
  const comments = useMemo(
    () => withPending(state?.thread?.comments ?? [], operations, subject, me),
    [state?.thread, operations, subject, me],
  )
  return { state, comments }
}

function useBranchProps(subject: Subject, title: string, whyNot: string | undefined) {
  const { id: me } = useMe()
  const role = useAtomValue(collectionsAtom)?.find(({ id }) => id === subject.collectionId)?.role
  const react = useSetAtom(reactAtom)
  const act = useAct()
  const now = useNow()
  const onReact = useCallback(
    (comment: ShownComment, emoji: string, on: boolean) =>
      void act(() => react(subject, comment.id, { emoji, on, title: t`a comment on ${title}` })),
    [act, react, subject, title],
  )
  return { subject, me, mayHide: may(role, 'comment.hide'), whyNot, now, onReact }
}

function NewComment({
  subject,
  whyNot,
  className,
  comments,
  autoFocus,
}: {
  subject: Subject
  whyNot: string | undefined
  className: string
  comments: readonly ShownComment[]
  autoFocus: boolean
}) {
  const me = useMe()
  const comment = useSetAtom(commentAtom)
  const form = useRef<HTMLDivElement>(null)
  const sent = useRef(false)
  const draft = `${subject.collectionId}/${subject.item.id}`
  const moved = useMovedReplies(comments, draft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a comment has come
  useEffect(() => {
    if (sent.current) form.current?.scrollIntoView({ block: 'nearest' })
    sent.current = false
  }, [comments.length])
  if (whyNot) return <p className="text-sm text-muted">{whyNot}</p>
  return (
    <div ref={form} className={className}>
      <div className="flex items-start gap-2.5">
        <span className="mt-1.5">
          <UserAvatar userId={me.id} name={me.name} size="sm" />
        </span>
        <CommentForm
          // It reads its draft anew.
          key={moved.times}
          collectionId={subject.collectionId}
          label={t`Write a comment`}
          draftOf={draft}
          action={t`Send`}
          autoFocus={autoFocus || moved.focused}
          above
          onSend={(text, mentions) => {
            sent.current = true
            return comment(subject, { text, mentions })
          }}
        />
      </div>
    </div>
  )
}

/** Moves what was begun as a reply into the field for a new comment when the comment that it answers is deleted. */
function useMovedReplies(comments: readonly ShownComment[], draft: string) {
  const { id: me } = useMe()
  const last = useRef(comments)
  const [moved, setMoved] = useState({ times: 0, focused: false })
  // Before the dialog takes the focus that is lost with a form that was being filled in.
  useLayoutEffect(() => {
    const left = new Set(comments.flatMap(({ id, state }) => (state === 'deleted' ? [] : id)))
    const places = last.current.flatMap(({ id }) => (left.has(id) ? [] : replyDraftOf(id)))
    last.current = comments
    const replies = places.map((place) => readWords(me, place)).filter((text) => text !== '')
    if (replies.length === 0) return
    writeWords(me, draft, [readWords(me, draft), ...replies].filter((text) => text !== '').join('\n\n'))
    for (const place of places) writeWords(me, place, '')
    setMoved(({ times }) => ({ times: times + 1, focused: document.activeElement === document.body }))
  }, [comments, draft, me])
  return moved
}

function ThreadError({ subject, known, offline, message }: { subject: Subject; known: boolean; offline: boolean; message: string }) {
  const retry = useSetAtom(catchUpAtom)
  if (offline)
    return (
      <p className="text-sm text-muted">
        {known ? t`New comments load when you are back online.` : t`Comments load when you are back online.`}
      </p>
    )
  return <FailedNotice message={message} onRetry={() => void retry(subject)} />
}

/** Reads out what others write while the thread is open. */
function Arrivals({ comments, known }: { comments: readonly ShownComment[]; known: boolean }) {
  const { id: me } = useMe()
  const seen = useRef<Set<string> | null>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    if (!known) return
    const fresh =
      seen.current && comments.findLast(({ id, author, state }) => !seen.current?.has(id) && author.id !== me && state === 'shown')
    seen.current = new Set(comments.map(({ id }) => id))
    if (fresh) setText(`${authorName(fresh.author)}: ${fresh.text}`)
  }, [comments, known, me])
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  )
}

function ThreadSkeleton() {
  return (
    <div role="status" aria-label={t`Loading comments`} className="grid gap-4">
      {[40, 64].map((width) => (
        <div key={width} className="flex gap-2.5">
          <Skeleton rounded="full" className="size-7 shrink-0" />
          <div className="grid grow gap-2">
            <Skeleton className="h-4 w-28" />
            <Skeleton className={width === 40 ? 'h-4 w-40 max-w-full' : 'h-4 w-64 max-w-full'} />
          </div>
        </div>
      ))}
    </div>
  )
}
