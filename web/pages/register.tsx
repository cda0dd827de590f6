import { useAtomValue, useSetAtom } from 'jotai'
import { t } from '#say'
import { Trans } from '#say/react'
import { signUpAtom } from '../atoms/sign-in.ts'
import { signInWaysAtom } from '../atoms/sign-in-ways.ts'
import { nameFields } from '../components/fields/name-fields.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, type CredentialProps, EmailField, PasswordField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { Address, MailSent } from '../components/session/mail-sent.tsx'
import { SocialSignIn } from '../components/session/social-sign-in.tsx'
import { useKept } from '../components/session/use-kept.ts'
import { PATHS } from '../lib/links.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

const NOBODY = { firstName: '', lastName: '', email: '', password: '' }

export function RegisterPage() {
  const [person, setPerson] = useKept('registering', NOBODY)
  const [verify, setVerify] = useKept('registered', false)
  const signUp = useSetAtom(signUpAtom)
  const ways = useAtomValue(signInWaysAtom)
  const form = useSubmit(async () => setVerify((await signUp(person)).verify))
  const bind = (name: keyof typeof NOBODY) => ({
    name,
    value: person[name],
    onChange: (value: string) => setPerson({ ...person, [name]: value }),
  })

  if (verify) {
    return (
      <MailSent
        title={t`Check your inbox`}
        lead={
          <Trans>
            We have written to <Address email={person.email} />. If you already have an account, the mail lets you choose a new password.
          </Trans>
        }
      />
    )
  }
  return (
    <AuthLayout
      title={t`Create your account`}
      lead={t`Keep photos and posts together with the people who were there.`}
      foot={
        <Trans>
          Already have an account? <TextLink to={PATHS.login}>Sign in</TextLink>
        </Trans>
      }
    >
      <SocialSignIn />
      {ways.password && (
        <AuthForm form={form} action={t`Create account`}>
          <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
            {nameFields().map(({ name, ...field }, at) => (
              <NameField key={name} {...field} {...bind(name)} autoFocus={at === 0} error={form.fields[name]} />
            ))}
          </div>
          <EmailField {...bind('email')} required error={form.fields.email} />
          <PasswordField {...bind('password')} isNew required error={form.fields.password} />
        </AuthForm>
      )}
    </AuthLayout>
  )
}

function NameField({ label, error, onChange, ...input }: CredentialProps & { label: string }) {
  return (
    <Field label={label} error={error}>
      {(control) => <Input {...control} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}
