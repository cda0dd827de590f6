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
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RolePicker } from '../fields/role-picker.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
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
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
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
    <Dialog
      open={open}
      onOpenChange={(next) => next || close(false)}
      onClosed={onClosed}
      title={person ? t`Invite ${person.name}` : t`Invite to “${collection.name}”`}
      description={
        person
          ? t`They become a reader, and everything they are tagged in is linked to their account.`
          : t`The invitation expires after ${plural(LIMITS.inviteDays, { one: '# day', other: '# days' })}. It can be accepted only with this address.`
      }
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
          <Button type="submit" variant="primary" icon="send" loading={busy}>
            <Trans>Send invitation</Trans>
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label={t`E-mail`} error={fields.email ?? fields.personId}>
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
      </div>
    </Dialog>
  )
}
