import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'

interface BulkDialogProps {
  title: string
  description: string
  open: boolean
  close: () => void
  onClosed: () => void
  /** The effect of applying it, in one sentence. */
  preview: string
  /** Why it cannot be applied yet. */
  reason?: string | undefined
  onApply: () => Promise<unknown>
  children: ReactNode
}

/** A dialog that changes all selected items: fields, a preview of the effect, and Apply. */
export function BulkDialog({ title, description, open, close, onClosed, preview, reason, onApply, children }: BulkDialogProps) {
  const form = useSubmit(async () => {
    if (reason !== undefined) return
    await onApply()
    close()
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={close}
      onClosed={onClosed}
      title={title}
      description={description}
      action={<Trans>Apply</Trans>}
      reason={reason}
      note={
        <p role="status" className="w-full rounded-md bg-muted px-3 py-2 text-sm text-pretty tabular-nums">
          {preview}
        </p>
      }
    >
      {children}
    </FormDialog>
  )
}
