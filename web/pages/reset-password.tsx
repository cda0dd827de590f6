import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { linkTokenOf, resetPassword } from '../../contract/mailed-links.ts'
import { addToastAtom } from '../atoms/toasts.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, PasswordField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { call } from '../lib/api.ts'
import { PATHS } from '../lib/links.ts'
import { ButtonLink } from '../ui/button-link.tsx'

export function ResetPasswordPage() {
  const [search] = useSearchParams()
  if (!search.get('token') || search.has('error')) return <BrokenLink />
  return <NewPassword token={linkTokenOf(search)} />
}

function BrokenLink() {
  return (
    <AuthLayout title="This link has expired" lead="It may also be incomplete or already used. Request a new one.">
      <ButtonLink to={PATHS.forgotPassword} variant="primary" size="lg">
        Request a new link
      </ButtonLink>
    </AuthLayout>
  )
}

function NewPassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState('')
  const navigate = useNavigate()
  const addToast = useSetAtom(addToastAtom)
  const form = useSubmit(async () => {
    await call(resetPassword, { body: { token, newPassword } })
    addToast({ title: 'Password changed', description: 'Sign in with your new password.', color: 'success', icon: 'check-circle' })
    await navigate(PATHS.login)
  })
  if (form.fields.token) return <BrokenLink />
  return (
    <AuthLayout
      title="Set a new password"
      lead="You will be signed out everywhere else."
      foot={<TextLink to={PATHS.login}>Back to sign-in</TextLink>}
    >
      <AuthForm form={form} action="Change password">
        <PasswordField
          label="New password"
          name="newPassword"
          isNew
          autoFocus
          required
          value={newPassword}
          onChange={setNewPassword}
          error={form.fields.newPassword}
        />
      </AuthForm>
    </AuthLayout>
  )
}
