import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { sessionEndedAtom } from '../atoms/session.ts'
import { signInAtom } from '../atoms/sign-in.ts'
import { signInWaysAtom } from '../atoms/sign-in-ways.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, EmailField, PasswordField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { SocialFailure, SocialSignIn } from '../components/session/social-sign-in.tsx'
import { useKept } from '../components/session/use-kept.ts'
import { PATHS } from '../lib/links.ts'
import { Notice } from '../ui/states.tsx'

export function LoginPage() {
  const [email, setEmail] = useKept('signing in as', '')
  const [password, setPassword] = useKept('signing in with', '')
  const signIn = useSetAtom(signInAtom)
  const ended = useAtomValue(sessionEndedAtom)
  const ways = useAtomValue(signInWaysAtom)
  const form = useSubmit(() => signIn({ email, password }))
  return (
    <AuthLayout
      title={t`Sign in`}
      lead={t`Welcome back.`}
      foot={
        ways.password && (
          <Trans>
            New here? <TextLink to={PATHS.register}>Create an account</TextLink>
          </Trans>
        )
      }
    >
      {ended === 'lost' && !form.failure && (
        <Notice>
          <Trans>Your session has expired. Sign in to continue where you left off.</Trans>
        </Notice>
      )}
      <SocialFailure />
      <SocialSignIn />
      {ways.password && (
        <AuthForm form={form} action={t`Sign in`}>
          <EmailField name="email" autoFocus required value={email} onChange={setEmail} error={form.fields.email} />
          <PasswordField
            name="password"
            required
            value={password}
            onChange={setPassword}
            error={form.fields.password}
            aside={
              ways.reset && (
                <TextLink to={PATHS.forgotPassword}>
                  <Trans>Forgot it?</Trans>
                </TextLink>
              )
            }
          />
        </AuthForm>
      )}
    </AuthLayout>
  )
}
