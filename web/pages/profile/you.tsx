import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Profile } from '../../../contract/users.ts'
import { fetchProfileAtom, profileAtom, profileErrorAtom, updateProfileAtom } from '../../atoms/profile.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'

export function You() {
  const profile = useAtomValue(profileAtom)
  const error = useAtomValue(profileErrorAtom)
  const userId = useAtomValue(sessionUserIdAtom)
  const fetchProfile = useSetAtom(fetchProfileAtom)
  const retry = () => void fetchProfile().catch(() => undefined)
  if (profile) return <ProfileForm key={userId} profile={profile} />
  if (error) return <ErrorState title="Your profile could not be loaded" message={error} onRetry={retry} className="-my-8" />
  return <Skeleton className="h-30" />
}

function ProfileForm({ profile }: { profile: Profile }) {
  const [firstName, setFirstName] = useState(profile.firstName ?? '')
  const [lastName, setLastName] = useState(profile.lastName ?? '')
  const update = useSetAtom(updateProfileAtom)
  const addToast = useSetAtom(addToastAtom)
  const changed = firstName !== (profile.firstName ?? '') || lastName !== (profile.lastName ?? '')
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await update({ firstName, lastName })
    addToast({ title: 'Profile saved', color: 'success', icon: 'check-circle' })
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid max-w-xl gap-5">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First name" error={fields.firstName}>
          {(control) => (
            <Input {...control} autoComplete="given-name" value={firstName} onChange={(event) => setFirstName(event.target.value)} />
          )}
        </Field>
        <Field label="Last name" error={fields.lastName}>
          {(control) => (
            <Input {...control} autoComplete="family-name" value={lastName} onChange={(event) => setLastName(event.target.value)} />
          )}
        </Field>
      </div>
      <div>
        <Button type="submit" variant="primary" loading={busy} disabledReason={changed ? undefined : 'No changes to save'}>
          Save changes
        </Button>
      </div>
    </form>
  )
}
