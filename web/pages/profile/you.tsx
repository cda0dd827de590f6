import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useRef } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { displayName, type Profile } from '../../../contract/users.ts'
import { removeAvatarAtom, updateProfileAtom } from '../../atoms/change-profile.ts'
import { personalAtom } from '../../atoms/personal.ts'
import { fetchProfileAtom, profileAtom, profileErrorAtom } from '../../atoms/profile.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { nameFields } from '../../components/fields/name-fields.ts'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useAsk } from '../../components/overlays/overlay-outlet.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { UserAvatar } from '../../components/user-avatar.tsx'
import { pickFile } from '../../lib/pick-files.ts'
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
  if (error) return <ErrorState title={t`Your profile could not be loaded`} message={error} onRetry={retry} className="-my-8" />
  return <Skeleton className="h-30" />
}

/** Null until edited, so that a change made elsewhere shows in the other fields. */
interface Edit {
  firstName: string | null
  lastName: string | null
}

const UNEDITED: Edit = { firstName: null, lastName: null }
/** It stays when the page is left. */
const editAtom = personalAtom(UNEDITED)

function ProfileForm({ profile }: { profile: Profile }) {
  const [edit, setEdit] = useAtom(editAtom)
  const names = { firstName: edit.firstName ?? profile.firstName ?? '', lastName: edit.lastName ?? profile.lastName ?? '' }
  const update = useSetAtom(updateProfileAtom)
  const addToast = useSetAtom(addToastAtom)
  const changed = names.firstName !== (profile.firstName ?? '') || names.lastName !== (profile.lastName ?? '')
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await update(names)
    setEdit(() => UNEDITED)
    addToast({ title: t`Profile saved`, color: 'success', icon: 'check-circle' })
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid max-w-xl gap-5">
      <Picture profile={profile} />
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <div className="grid gap-5 sm:grid-cols-2">
        {nameFields().map(({ name, label, autoComplete }) => (
          <Field key={name} label={label} error={fields[name]}>
            {(control) => (
              <Input
                {...control}
                autoComplete={autoComplete}
                value={names[name]}
                onChange={(event) => setEdit((now) => ({ ...now, [name]: event.target.value }))}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" variant="primary" loading={busy} disabledReason={changed ? undefined : t`No changes to save`}>
          <Trans>Save changes</Trans>
        </Button>
      </div>
    </form>
  )
}

function Picture({ profile }: { profile: Profile }) {
  const ask = useAsk()
  const act = useAct()
  const remove = useSetAtom(removeAvatarAtom)
  const addToast = useSetAtom(addToastAtom)
  const choose = useRef<HTMLButtonElement>(null)
  const change = () =>
    act(async () => {
      const file = await pickFile('image/*')
      if (!file) return
      const { PictureDialog, readPicture } = await import('./picture-dialog.tsx')
      await ask(PictureDialog, { picture: await readPicture(file) })
    })
  const onRemove = async () => {
    if (!(await act(() => remove()))) return
    // The button is gone with the picture.
    choose.current?.focus()
    addToast({ title: t`Picture removed`, icon: 'delete' })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <UserAvatar userId={profile.id} name={displayName(profile)} size="3xl" />
      <div className="flex flex-wrap gap-2">
        <Button ref={choose} icon="photo-camera" onClick={() => void change()}>
          {profile.avatar ? t`Change picture` : t`Add a picture`}
        </Button>
        {profile.avatar && (
          <Button variant="ghost" onClick={() => void onRemove()}>
            <Trans>Remove picture</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
