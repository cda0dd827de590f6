import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { LIMITS } from '../../../contract/limits.ts'
import { guestAtom, nameGuestAtom } from '../../atoms/guest.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'

/** Asks guests of a link what they are called. */
export function GuestNameDialog({ open, close, onClosed }: OverlayProps<boolean>) {
  const [name, setName] = useState(useAtomValue(guestAtom)?.name ?? '')
  const rename = useSetAtom(nameGuestAtom)
  const form = useSubmit(async () => {
    await rename(name)
    close(true)
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => close(false)}
      onClosed={onClosed}
      title={t`Your name`}
      description={t`Everybody here sees it beside what you write.`}
      action={<Trans>Save</Trans>}
    >
      <Field label={t({ message: 'Name', context: 'of a person' })} error={form.fields.name}>
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
    </FormDialog>
  )
}
