import { useSetAtom } from 'jotai'
import { useNavigate, useSearchParams } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { linkTokenOf, resetPassword } from '../../contract/mailed-links.ts'
import { addToastAtom } from '../atoms/toasts.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, PasswordField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { useKept } from '../components/session/use-kept.ts'
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
    <AuthLayout title={t`This link has expired`} lead={t`It may also be incomplete or already used. Request a new one.`}>
      <ButtonLink to={PATHS.forgotPassword} variant="primary" size="lg">
        <Trans>Request a new link</Trans>
      </ButtonLink>
    </AuthLayout>
  )
}

function NewPassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useKept('new password', '')
  const navigate = useNavigate()
  const addToast = useSetAtom(addToastAtom)
  const form = useSubmit(async () => {
    await call(resetPassword, { body: { token, newPassword } })
    addToast({ title: t`Password changed`, description: t`Sign in with your new password.`, color: 'success', icon: 'check-circle' })
    await navigate(PATHS.login)
  })
  if (form.fields.token) return <BrokenLink />
  return (
    <AuthLayout
      title={t`Set a new password`}
      lead={t`You will be signed out everywhere else.`}
      foot={
        <TextLink to={PATHS.login}>
          <Trans>Back to sign-in</Trans>
        </TextLink>
      }
    >
      <AuthForm form={form} action={t`Change password`}>
        <PasswordField
          label={t`New password`}
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
