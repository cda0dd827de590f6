import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { plural, t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Person } from '../../../contract/people.ts'
import type { InviteRole } from '../../../contract/policy.ts'
import { inviteAtom } from '../../atoms/members.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RolePicker } from '../fields/role-picker.tsx'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'
import { invitationHint } from './invitation-hint.ts'

interface InviteDialogProps extends OverlayProps<boolean> {
  collection: Collection
  /** A tagged person, who becomes a reader and keeps their tags. */
  person?: Person
}

export function InviteDialog({ collection, person, open, close, onClosed }: InviteDialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<InviteRole>('read')
  const invite = useSetAtom(inviteAtom)
  const addToast = useSetAtom(addToastAtom)
  const form = useSubmit(async () => {
    const mailed = await invite(collection.id, { email, role: person ? 'read' : role, ...(person ? { personId: person.id } : {}) })
    addToast({
      title: t`${email.trim()} has been invited`,
      description: invitationHint(mailed),
      color: 'success',
      icon: 'mail',
    })
    close(true)
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => close(false)}
      onClosed={onClosed}
      title={person ? t`Invite ${person.name}` : t`Invite to “${collection.name}”`}
      description={
        person
          ? t`They become a reader, and everything they are tagged in is linked to their account.`
          : t`The invitation expires after ${plural(LIMITS.inviteDays, { one: '# day', other: '# days' })}. It can be accepted only with this address.`
      }
      action={<Trans>Send invitation</Trans>}
      icon="send"
    >
      <Field label={t`E-mail`} error={form.fields.email ?? form.fields.personId}>
        {(control) => (
          <Input
            {...control}
            type="email"
            name="email"
            autoComplete="off"
            autoFocus
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      {!person && <RolePicker value={role} onChange={setRole} actor={collection.role} />}
    </FormDialog>
  )
}
