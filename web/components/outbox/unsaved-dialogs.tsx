import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { may } from '../../../contract/policy.ts'
import { collectionsAtom } from '../../atoms/collections.ts'
import { dropAtom, retryAtom, saveElsewhereAtom, textOf, wordsOf } from '../../atoms/outbox.ts'
import { REVIEW_LIST, unsavedAtom } from '../../atoms/pending.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import type { Operation } from '../../lib/outbox/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { useConfirm } from '../overlays/confirm-dialog.tsx'
import { useAct } from '../overlays/use-act.ts'
import { useCopyText } from '../overlays/use-copy-text.ts'
import { actionText } from './action-text.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { mayRetry, whyStuck } from './unsaved-words.ts'

interface UnsavedDialogsProps {
  review: string | null
  onReview: (what: string | null) => void
}

/** The list of unsaved changes, and the comparison of a conflict. */
export function UnsavedDialogs({ review, onReview }: UnsavedDialogsProps) {
  const unsaved = useAtomValue(unsavedAtom)
  const conflict = unsaved.find(({ id, state }) => id === review && state === 'conflict')
  const [last, setLast] = useState(conflict)
  if (conflict && conflict !== last) setLast(conflict)
  const listed = review === REVIEW_LIST && unsaved.length > 0
  // The change under review has been saved meanwhile.
  const over = review !== null && !conflict && !listed
  useEffect(() => {
    if (over) onReview(null)
  }, [over, onReview])
  const shown = conflict ?? last
  return (
    <>
      <Dialog open={listed} onClose={() => onReview(null)} title={t`Not saved yet`} description={descriptionOf(unsaved)} size="md">
        <ul className="grid gap-5">
          {unsaved.map((operation) => (
            <UnsavedRow key={operation.id} operation={operation} onCompare={() => onReview(operation.id)} />
          ))}
        </ul>
      </Dialog>
      {shown && <ConflictDialog key={shown.id} operation={shown} open={conflict !== undefined} onClose={() => onReview(null)} />}
    </>
  )
}

function descriptionOf(unsaved: readonly Operation[]): string {
  const stuck = unsaved.filter(({ state }) => state !== 'waiting').length
  if (stuck === 0) return t`Changes are kept on this device and sent automatically.`
  return stuck === unsaved.length
    ? t`Changes are kept on this device until you decide.`
    : t`Changes are kept on this device. Some need your decision.`
}

const ICONS: Record<Operation['state'], IconName> = { waiting: 'cloud-upload', sent: 'check', conflict: 'warning', refused: 'error' }

function UnsavedRow({ operation, onCompare }: { operation: Operation; onCompare: () => void }) {
  const { title, state, action } = operation
  const words = wordsOf(action)
  const collections = useAtomValue(collectionsAtom) ?? []
  return (
    <li className="flex gap-3">
      <Icon name={ICONS[state]} size={20} className={state === 'waiting' ? 'mt-0.5 text-(--text-muted)' : 'mt-0.5 text-danger'} />
      <div className="grid min-w-0 grow gap-1.5">
        <p className="wrap-anywhere text-muted">{actionText(action, <span className="font-medium text-(--text)">{title}</span>)}</p>
        {state !== 'waiting' && <p className="text-sm text-pretty text-muted">{whyStuck(operation, collections)}</p>}
        {state === 'refused' && words && (
          <p dir="auto" className="max-h-32 overflow-y-auto rounded-md bg-muted px-3 py-2 text-sm whitespace-pre-line wrap-anywhere">
            {words}
          </p>
        )}
        {state === 'conflict' && (
          <p>
            <Button size="sm" variant="primary" onClick={onCompare}>
              <Trans>Compare</Trans>
            </Button>
          </p>
        )}
        {state === 'refused' && <Refused operation={operation} />}
      </div>
    </li>
  )
}

/** The choices for a change that the server refused. */
function Refused({ operation }: { operation: Operation }) {
  const { id, action, title } = operation
  const retry = useSetAtom(retryAtom)
  const drop = useSetAtom(dropAtom)
  const confirm = useConfirm()
  const copy = useCopyText()
  const words = wordsOf(action)
  const collections = useAtomValue(collectionsAtom) ?? []
  const discard = async () => {
    if (await confirm({ title: t`Discard your change to ${title}?`, confirm: t`Discard`, danger: true })) await drop(id)
  }
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      {mayRetry(operation, collections) && (
        <Button size="sm" icon="refresh" onClick={() => void retry(id)}>
          <Trans>Try again</Trans>
        </Button>
      )}
      {words && (
        <Button size="sm" icon="content-copy" onClick={() => void copy(words)}>
          <Trans>Copy text</Trans>
        </Button>
      )}
      {textOf(action) && <SaveElsewhere operation={operation} />}
      <Button size="sm" variant="ghost" onClick={() => void discard()}>
        <Trans>Discard</Trans>
      </Button>
    </div>
  )
}

function SaveElsewhere({ operation }: { operation: Operation }) {
  const collections = useAtomValue(collectionsAtom) ?? []
  const save = useSetAtom(saveElsewhereAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const open = collections.filter(({ role }) => may(role, 'item.add'))
  if (open.length === 0) return null
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" icon="add">
          <Trans>Save as a new post in…</Trans>
        </Button>
      }
    >
      <MenuLabel>
        <Trans>Save as a new post in</Trans>
      </MenuLabel>
      {open.map(({ id, name }) => (
        <MenuItem
          key={id}
          onSelect={() => {
            void act(async () => {
              await save(operation, id)
              addToast({ title: t`${operation.title} added to ${name}`, icon: 'check-circle', color: 'success' })
            })
          }}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
