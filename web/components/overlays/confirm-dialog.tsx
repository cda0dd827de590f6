import { type FormEvent, useCallback, useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useAsk } from './overlay-outlet.tsx'

export interface Confirmation {
  title: string
  description?: string
  /** The verb on the button. */
  confirm: string
  danger?: boolean
  /** Text that has to be typed first, for actions that cannot be undone. */
  typeToConfirm?: string
}

/** `if (await confirm({ title, confirm: 'Delete', danger: true })) …` */
export function useConfirm() {
  const ask = useAsk()
  return useCallback(async (question: Confirmation) => (await ask(ConfirmDialog, question)) === true, [ask])
}

export function ConfirmDialog(props: Confirmation & OverlayProps<boolean>) {
  const { title, description, confirm, danger = false, typeToConfirm, open, close, onClosed } = props
  const [typed, setTyped] = useState('')
  const ready = !typeToConfirm || typed.trim() === typeToConfirm
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) close(true)
  }
  return (
    <Dialog
      open={open}
      onClose={() => close(false)}
      onClosed={onClosed}
      title={title}
      description={description}
      size="sm"
      wrap={(content) => (
        <form onSubmit={submit} className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button autoFocus={danger && !typeToConfirm} onClick={() => close(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            autoFocus={!danger && !typeToConfirm}
            variant={danger ? 'danger' : 'primary'}
            disabledReason={ready ? undefined : t`Type “${typeToConfirm}” first`}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {typeToConfirm && (
        <Field label={t`Type “${typeToConfirm}” to continue`}>
          {(control) => (
            <Input {...control} value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" autoFocus />
          )}
        </Field>
      )}
    </Dialog>
  )
}
