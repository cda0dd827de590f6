import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { changeEmailAtom, changePasswordAtom } from '../../atoms/account.ts'
import { sessionUserAtom } from '../../atoms/session.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { FormFailure } from '../../components/overlays/form-failure.tsx'
import { useSubmit } from '../../components/overlays/use-submit.ts'
import { EmailField, HiddenUsername, PasswordField } from '../../components/session/auth-form.tsx'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { VerifyNotice } from '../../components/session/verify-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/states.tsx'

/** Address and password, where the sign-in service stores them; otherwise the name of the service that does. */
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
  const withReauthentication = useReauthentication()
  const changed = email.trim().toLowerCase() !== user?.email
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    setSentTo(null)
    const done = await withReauthentication(async () => {
      await change(email)
      return true
    })
    if (done) setSentTo(email.trim())
  })
  if (!mayChange) {
    return (
      <Field label={t`E-mail`} hint={t`Your e-mail address and password are managed by your sign-in service.`}>
        {(control) => <Input {...control} value={user?.email ?? ''} readOnly />}
      </Field>
    )
  }
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-4">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <EmailField
        hint={t`You sign in with this address. A new one takes effect once you confirm it by the link that we send to it.`}
        autoComplete="email"
        value={email}
        onChange={setEmail}
        error={fields.email}
      />
      {sentTo && sentTo.toLowerCase() !== user?.email && (
        <Notice>
          <Trans>
            We sent a link to {sentTo}. Until you confirm it, {user?.email} remains your address.
          </Trans>
        </Notice>
      )}
      <div>
        <Button type="submit" loading={busy} disabledReason={changed ? undefined : t`This is already your address`}>
          <Trans>Change e-mail</Trans>
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
    addToast({ title: t`Password changed`, description: t`Other devices have been signed out.`, color: 'success', icon: 'check-circle' })
  })
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-4">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      <HiddenUsername email={user?.email} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <PasswordField label={t`Current password`} value={currentPassword} onChange={setCurrent} error={fields.currentPassword} />
        <PasswordField label={t`New password`} isNew value={newPassword} onChange={setNew} error={fields.newPassword} />
      </div>
      <div>
        <Button type="submit" loading={busy} disabledReason={currentPassword && newPassword ? undefined : t`Fill in both fields first`}>
          <Trans>Change password</Trans>
        </Button>
      </div>
    </form>
  )
}
