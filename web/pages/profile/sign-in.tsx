import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { LIMITS } from '../../../contract/limits.ts'
import { changeEmailAtom, changePasswordAtom } from '../../atoms/account.ts'
import { sessionUserAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { FormFailure } from '../../components/session/auth-layout.tsx'
import { useProven } from '../../components/session/use-reauthentication.ts'
import { VerifyNotice } from '../../components/session/verify-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, PasswordInput } from '../../ui/input.tsx'
import { Notice } from '../../ui/states.tsx'

/** Address and password, where the sign-in service keeps them; elsewhere who does. */
export function SignIn({ password }: { password: boolean }) {
  return (
    <div className="grid max-w-xl gap-8">
      <div className="grid gap-4">
        <VerifyNotice />
        <Email mayChange={password} />
      </div>
      {password && <Password />}
    </div>
  )
}

function Email({ mayChange }: { mayChange: boolean }) {
  const user = useAtomValue(sessionUserAtom)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [email, setEmail] = useState(user?.email ?? '')
  const change = useSetAtom(changeEmailAtom)
  const proven = useProven()
  const changed = email.trim().toLowerCase() !== user?.email
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    setSentTo(null)
    const done = await proven(async () => {
      await change(email)
      return true
    })
    if (done) setSentTo(email.trim())
  })
  if (!mayChange) {
    return (
      <Field label="E-mail" hint="It comes from your sign-in service, where it and your password are changed.">
        {(control) => <Input {...control} value={user?.email ?? ''} readOnly />}
      </Field>
    )
  }
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-4">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <Field
        label="E-mail"
        hint="You sign in with it. A new address counts once you open the link that we send there."
        error={fields.email}
      >
        {(control) => (
          <Input {...control} type="email" autoComplete="email" value={email} onChange={(event) => setEmail(event.target.value)} />
        )}
      </Field>
      {sentTo && (
        <Notice>
          A link is on its way to {sentTo}. Until you open it, {user?.email} stays your address.
        </Notice>
      )}
      <div>
        <Button type="submit" loading={busy} disabledReason={changed ? undefined : 'This is your address already'}>
          Change e-mail
        </Button>
      </div>
    </form>
  )
}

function Password() {
  const user = useAtomValue(sessionUserAtom)
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useSetAtom(changePasswordAtom)
  const addToast = useSetAtom(addToastAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await change({ currentPassword, newPassword })
    setCurrent('')
    setNew('')
    addToast({ title: 'Your password is changed', description: 'Other devices are signed out.', color: 'success', icon: 'check-circle' })
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-4">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Present password" error={fields.currentPassword}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              value={currentPassword}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        <Field label="New password" hint={`At least ${LIMITS.passwordMin} characters.`} error={fields.newPassword}>
          {(control) => (
            <PasswordInput {...control} autoComplete="new-password" value={newPassword} onChange={(event) => setNew(event.target.value)} />
          )}
        </Field>
      </div>
      <div>
        <Button type="submit" loading={busy} disabledReason={currentPassword && newPassword ? undefined : 'Fill in both first'}>
          Change password
        </Button>
      </div>
    </form>
  )
}
