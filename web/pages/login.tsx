import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { sessionEndedAtom, signInAtom } from '../atoms/session.ts'
import { signInWaysAtom } from '../atoms/sign-in-ways.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthLayout, FormFailure, TextLink } from '../components/session/auth-layout.tsx'
import { SocialFailure, SocialSignIn } from '../components/session/social-sign-in.tsx'
import { PATHS } from '../lib/links.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input, PasswordInput } from '../ui/input.tsx'
import { Notice } from '../ui/states.tsx'

export function LoginPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSetAtom(signInAtom)
  const ended = useAtomValue(sessionEndedAtom)
  const ways = useAtomValue(signInWaysAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(() => signIn({ email, password }))
  return (
    <AuthLayout
      title="Sign in"
      lead="Good to see you again."
      foot={
        ways.password && (
          <>
            New here? <TextLink to={PATHS.register}>Create an account</TextLink>
          </>
        )
      }
    >
      {ended === 'lost' && !failure && <Notice>Your session has ended. Sign in to go on where you were.</Notice>}
      <SocialFailure />
      <SocialSignIn />
      {ways.password && (
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
          <Field label="Password" error={fields.password} aside={ways.reset && <TextLink to={PATHS.forgotPassword}>Forgot it?</TextLink>}>
            {(control) => (
              <PasswordInput
                {...control}
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={busy}>
            Sign in
          </Button>
        </form>
      )}
    </AuthLayout>
  )
}
