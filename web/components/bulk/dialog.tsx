import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
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
  const { busy, failure, formRef, submit } = useSubmit(async () => {
    if (reason !== undefined) return
    await onApply()
    close()
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      onClosed={onClosed}
      title={title}
      description={description}
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <p role="status" className="w-full rounded-md bg-muted px-3 py-2 text-sm text-pretty tabular">
            {preview}
          </p>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" loading={busy} disabledReason={reason}>
            <Trans>Apply</Trans>
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        {children}
      </div>
    </Dialog>
  )
}
