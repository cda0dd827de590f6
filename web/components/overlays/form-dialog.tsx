import type { ReactNode } from 'react'
import { t } from '#say'
import type { PrimaryColor } from '../../../contract/themes.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, type DialogProps } from '../../ui/dialog.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { FormFailure } from './form-failure.tsx'
import type { Form } from './use-submit.ts'

interface FormDialogProps extends Pick<DialogProps, 'open' | 'onClosed' | 'size' | 'title' | 'description'> {
  form: Form
  /** Runs on Cancel, Esc, ✕ and a press beside the dialog. */
  onCancel: () => void
  cancel?: string
  /** The verb on the main button. */
  action: ReactNode
  icon?: IconName
  danger?: boolean
  /** Why it cannot be sent yet. */
  reason?: string | undefined
  /** At the foot, before the buttons. */
  note?: ReactNode
  /** Colour of what it makes, which it has itself. */
  color?: PrimaryColor
  children: ReactNode
}

/** A dialog with a form: why it failed, its fields, and at the foot Cancel and the button that sends it. */
export function FormDialog(props: FormDialogProps) {
  const { form, onCancel, cancel = t`Cancel`, action, icon, danger = false, reason, note, color, children, ...dialog } = props
  const { busy, failure, formRef, submit } = form
  return (
    <Dialog
      {...dialog}
      onClose={onCancel}
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} noValidate data-primary={color} className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          {note}
          <Button onClick={() => onCancel()}>{cancel}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} {...(icon && { icon })} loading={busy} disabledReason={reason}>
            {action}
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
