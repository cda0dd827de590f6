import { useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { deleteCommentAtom, hideCommentAtom } from '../../atoms/answers.ts'
import { dropAtom, retryAtom, withUndoToastAtom } from '../../atoms/outbox.ts'
import type { ShownComment } from '../../lib/answers/pending.ts'
import { authorName } from '../../lib/answers/who.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { focusBeside } from '../focus-beside.ts'
import { useAct } from '../overlays/use-act.ts'
import { useCopyText } from '../overlays/use-copy-text.ts'

interface CommentMenuProps {
  comment: ShownComment
  own: boolean
  mayHide: boolean
  whyNot: string | undefined
  onEdit: () => void
}

export function CommentMenu({ comment, own, mayHide, whyNot, onEdit }: CommentMenuProps) {
  const remove = useSetAtom(deleteCommentAtom)
  const hide = useSetAtom(hideCommentAtom)
  const withUndo = useSetAtom(withUndoToastAtom)
  const copy = useCopyText()
  const act = useAct()
  const onDelete = async () => {
    const goBeside = focusBeside(document.getElementById(`comment-${comment.id}`)?.closest('li') ?? null)
    if (await act(() => withUndo(remove(comment), t`Comment deleted`, 'delete'))) goBeside()
  }
  const hidden = comment.state === 'hidden'
  const setHidden = () =>
    act(() =>
      withUndo(
        hide(comment, !hidden),
        hidden ? t`Comment shown again` : t`Comment hidden from others`,
        hidden ? 'visibility' : 'visibility-off',
      ),
    )
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="xs" icon="more-horiz" iconOnly>
          {t`More for the comment by ${authorName(comment.author)}`}
        </Button>
      }
    >
      {own && (
        <MenuItem icon="edit" disabledReason={whyNot} onSelect={onEdit}>
          <Trans>Edit</Trans>
        </MenuItem>
      )}
      <MenuItem icon="content-copy" onSelect={() => void copy(comment.text)}>
        <Trans>Copy text</Trans>
      </MenuItem>
      {mayHide && (
        <MenuItem icon={hidden ? 'visibility' : 'visibility-off'} onSelect={() => void setHidden()}>
          {hidden ? t`Show to others` : t`Hide from others`}
        </MenuItem>
      )}
      {own && (
        <>
          <MenuSeparator />
          <MenuItem icon="delete" danger onSelect={() => void onDelete()}>
            <Trans>Delete</Trans>
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** A comment that the server did not take: why, and what to do with it. */
export function Refused({ comment, problem }: { comment: ShownComment; problem: NonNullable<ShownComment['problem']> }) {
  const retry = useSetAtom(retryAtom)
  const drop = useSetAtom(dropAtom)
  const copy = useCopyText()
  const act = useAct()
  return (
    <div role="alert" className="grid gap-1.5 pt-1 pb-2">
      <p className="text-sm text-danger">
        <Trans>Not sent: {problem.message}</Trans>
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="xs" icon="refresh" onClick={() => void act(() => retry(problem.operationId))}>
          <Trans>Try again</Trans>
        </Button>
        <Button size="xs" icon="content-copy" onClick={() => void copy(comment.text)}>
          <Trans>Copy text</Trans>
        </Button>
        <Button size="xs" variant="ghost" onClick={() => void act(() => drop(problem.operationId))}>
          <Trans>Discard</Trans>
        </Button>
      </div>
    </div>
  )
}
