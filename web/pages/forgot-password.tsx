import { useState } from 'react'
import { forgotPassword } from '../../contract/auth.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthLayout, FormFailure, TextLink } from '../components/session/auth-layout.tsx'
import { Address, MailSent } from '../components/session/mail-sent.tsx'
import { call } from '../lib/api.ts'
import { PATHS } from '../lib/links.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => {
    await call(forgotPassword, { body: { email } })
    setSent(true)
  })
  if (sent) {
    return (
      <MailSent
        title="Check your e-mail"
        lead={
          <>
            If there is an account for <Address email={email} />, a link that sets a new password is on its way.
          </>
        }
      />
    )
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      lead="Enter the address you registered with, and we send you a link that sets a new one."
      foot={<TextLink to={PATHS.login}>Back to sign-in</TextLink>}
    >
      <form ref={formRef} onSubmit={submit} noValidate className="grid gap-5">
        <FormFailure failure={failure} busy={busy} onRetry={submit} />
        <Field label="E-mail" error={fields.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={busy}>
          Send the link
        </Button>
      </form>
    </AuthLayout>
  )
}
