import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { guestAtom, nameGuestAtom } from '../../atoms/guest.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
import { useSubmit } from '../overlays/use-submit.ts'

/** Asks guests of a link what they are called. */
export function GuestNameDialog({ open, close, onClosed }: OverlayProps<boolean>) {
  const [name, setName] = useState(useAtomValue(guestAtom)?.name ?? '')
  const rename = useSetAtom(nameGuestAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await rename(name)
    close(true)
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close(false)}
      onClosed={onClosed}
      title={t`Your name`}
      description={t`Everybody here sees it beside what you write.`}
      wrap={(content) => (
        <form ref={formRef} onSubmit={submit} noValidate className="flex min-h-0 flex-col">
          {content}
        </form>
      )}
      footer={
        <>
          <Button onClick={() => close(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" loading={busy}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label={t({ message: 'Name', context: 'of a person' })} error={fields.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="name"
              autoFocus
              required
              maxLength={LIMITS.guestName}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  )
}
