import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { resetPassword, resetTokenOf } from '../../contract/auth.ts'
import { LIMITS } from '../../contract/limits.ts'
import { addToastAtom } from '../atoms/toasts.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthLayout, FormFailure, TextLink } from '../components/session/auth-layout.tsx'
import { call } from '../lib/api.ts'
import { PATHS } from '../lib/links.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/input.tsx'

export function ResetPasswordPage() {
  const [search] = useSearchParams()
  if (!search.get('token') || search.has('error')) return <BrokenLink />
  return <NewPassword token={resetTokenOf(search)} />
}

function BrokenLink() {
  return (
    <AuthLayout title="This link does not work" lead="It was used already, it is too old, or a part of it is missing. Ask for a new one.">
      <ButtonLink to={PATHS.forgotPassword} variant="primary" size="lg">
        Send a new link
      </ButtonLink>
    </AuthLayout>
  )
}

function NewPassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState('')
  const navigate = useNavigate()
  const addToast = useSetAtom(addToastAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await call(resetPassword, { body: { token, newPassword } })
    addToast({ title: 'Your password is changed', description: 'Sign in with the new one.', color: 'success', icon: 'check-circle' })
    await navigate(PATHS.login)
  })
  if (fields.token) return <BrokenLink />
  return (
    <AuthLayout
      title="Set a new password"
      lead="You will be signed out everywhere else."
      foot={<TextLink to={PATHS.login}>Back to sign-in</TextLink>}
    >
      <form ref={formRef} onSubmit={submit} noValidate className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label="New password" hint={`At least ${LIMITS.passwordMin} characters.`} error={fields.newPassword}>
          {(control) => (
            <PasswordInput
              {...control}
              name="newPassword"
              autoComplete="new-password"
              autoFocus
              required
              value={newPassword}
              onChange={(event) => setNewPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={busy}>
          Change password
        </Button>
      </form>
    </AuthLayout>
  )
}
