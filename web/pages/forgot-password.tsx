import { t } from '#say'
import { Trans } from '#say/react'
import { forgotPassword } from '../../contract/mailed-links.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, EmailField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { Address, MailSent } from '../components/session/mail-sent.tsx'
import { useKept } from '../components/session/use-kept.ts'
import { call } from '../lib/api.ts'
import { PATHS } from '../lib/links.ts'

export function ForgotPasswordPage() {
  const [email, setEmail] = useKept('forgotten by', '')
  const [sent, setSent] = useKept('forgotten', false)
  const form = useSubmit(async () => {
    await call(forgotPassword, { body: { email } })
    setSent(true)
  })
  if (sent) {
    return (
      <MailSent
        title={t`Check your inbox`}
        lead={
          <Trans>
            If there is an account for <Address email={email} />, a link that sets a new password is on its way.
          </Trans>
        }
      />
    )
  }
  return (
    <AuthLayout
      title={t`Forgot your password?`}
      lead={t`Enter the address you registered with, and we will send you a link to set a new password.`}
      foot={
        <TextLink to={PATHS.login}>
          <Trans>Back to sign-in</Trans>
        </TextLink>
      }
    >
      <AuthForm form={form} action={t`Send link`}>
        <EmailField name="email" autoFocus required value={email} onChange={setEmail} error={form.fields.email} />
      </AuthForm>
    </AuthLayout>
  )
}
