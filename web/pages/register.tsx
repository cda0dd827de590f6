import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { LIMITS } from '../../contract/limits.ts'
import { signUpAtom } from '../atoms/session.ts'
import { signInWaysAtom } from '../atoms/sign-in-ways.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthLayout, FormFailure, TextLink } from '../components/session/auth-layout.tsx'
import { Address, MailSent } from '../components/session/mail-sent.tsx'
import { SocialSignIn } from '../components/session/social-sign-in.tsx'
import { PATHS } from '../lib/links.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input, PasswordInput } from '../ui/input.tsx'

const NOBODY = { firstName: '', lastName: '', email: '', password: '' }

export function RegisterPage() {
  const [person, setPerson] = useState(NOBODY)
  const [verify, setVerify] = useState(false)
  const signUp = useSetAtom(signUpAtom)
  const ways = useAtomValue(signInWaysAtom)
  const { busy, failure, fields, formRef, submit } = useSubmit(async () => setVerify((await signUp(person)).verify))
  const bind = (name: keyof typeof NOBODY) => ({
    name,
    value: person[name],
    onChange: (event: { target: { value: string } }) => setPerson({ ...person, [name]: event.target.value }),
  })

  if (verify) {
    return (
      <MailSent
        title="Check your e-mail"
        lead={
          <>
            We have written to <Address email={person.email} />. If you already have an account, the mail lets you choose a new password.
          </>
        }
      />
    )
  }
  return (
    <AuthLayout
      title="Create your account"
      lead="Keep photos and posts together with the people who were there."
      foot={
        <>
          You have an account? <TextLink to={PATHS.login}>Sign in</TextLink>
        </>
      }
    >
      <SocialSignIn />
      {ways.password && (
        <form ref={formRef} onSubmit={submit} noValidate className="grid gap-5">
          <FormFailure failure={failure} busy={busy} onRetry={submit} />
          <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
            <Field label="First name" error={fields.firstName}>
              {(control) => <Input {...control} {...bind('firstName')} autoComplete="given-name" autoFocus />}
            </Field>
            <Field label="Last name" error={fields.lastName}>
              {(control) => <Input {...control} {...bind('lastName')} autoComplete="family-name" />}
            </Field>
          </div>
          <Field label="E-mail" error={fields.email}>
            {(control) => <Input {...control} {...bind('email')} type="email" autoComplete="username" required />}
          </Field>
          <Field label="Password" hint={`At least ${LIMITS.passwordMin} characters.`} error={fields.password}>
            {(control) => <PasswordInput {...control} {...bind('password')} autoComplete="new-password" required />}
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={busy}>
            Create account
          </Button>
        </form>
      )}
    </AuthLayout>
  )
}
