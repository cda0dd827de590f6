import { useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { settleConflictAtom } from '../../atoms/outbox.ts'
import { isPost } from '../../lib/content/is-post.ts'
import { differing, fieldsOf } from '../../lib/outbox/merge.ts'
import type { Operation } from '../../lib/outbox/types.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { comparable, fieldText, labelOf } from './unsaved-words.ts'

interface ConflictDialogProps {
  operation: Operation
  open: boolean
  onClose: () => void
}

/** Two versions side by side, only where they differ. Both are kept until the user chooses. */
export function ConflictDialog({ operation, open, onClose }: ConflictDialogProps) {
  const settle = useSetAtom(settleConflictAtom)
  const { action, theirs } = operation
  if (!theirs || (action.kind !== 'editPost' && action.kind !== 'editAsset')) return null
  const fields = comparable(differing(action, theirs))
  const written = isPost(theirs) && fields.some((field) => field === 'body' || field === 'title')
  const choose = (choice: 'mine' | 'theirs' | 'both') => {
    // A second click while the dialog closes.
    if (!open) return
    void settle(operation, choice)
    onClose()
  }
  const mine = { ...fieldsOf(theirs), ...action.patch }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="lg"
      title={t`Two versions of ${operation.title}`}
      description={t`Another person changed it before your change was saved. Both versions are kept until you choose.`}
      footer={
        <>
          <Button onClick={() => choose('theirs')}>
            <Trans>Keep theirs</Trans>
          </Button>
          {written && (
            <Button onClick={() => choose('both')}>
              <Trans>Keep both</Trans>
            </Button>
          )}
          <Button variant="primary" autoFocus onClick={() => choose('mine')}>
            <Trans>Keep mine</Trans>
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Version name={t({ message: 'Yours', comment: 'The version of the reader' })} fields={fields} values={mine} own />
        <Version name={t({ message: 'Theirs', comment: 'The version of another person' })} fields={fields} values={fieldsOf(theirs)} />
      </div>
      {written && (
        <p className="pt-4 text-sm text-muted">
          <Trans>“Keep both” keeps their version and saves yours as a new post.</Trans>
        </p>
      )}
    </Dialog>
  )
}

interface VersionProps {
  name: string
  fields: ReturnType<typeof comparable>
  values: Parameters<typeof fieldText>[1]
  own?: boolean
}

function Version({ name, fields, values, own = false }: VersionProps) {
  return (
    <section aria-label={name} className={cx('min-w-0 rounded-lg border p-4', own && 'border-(--accent)')}>
      <h3 className={cx('text-sm font-semibold', own && 'text-accent')}>{name}</h3>
      <dl className="mt-3 grid gap-3">
        {fields.map((field) => (
          <div key={field}>
            <dt className="text-xs text-muted">{labelOf(field)}</dt>
            <dd className="max-h-60 overflow-y-auto whitespace-pre-line wrap-anywhere">{fieldText(field, values)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
