import type { ComponentProps, ReactNode } from 'react'
import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, PasswordInput } from '../../ui/input.tsx'
import { FormFailure } from '../overlays/form-failure.tsx'
import type { useSubmit } from '../overlays/use-submit.ts'

/** The form of a sign-in page: its error, fields and submit button. */
export function AuthForm({
  form: { busy, failure, formRef, submit },
  action,
  children,
}: {
  form: ReturnType<typeof useSubmit>
  action: string
  children: ReactNode
}) {
  return (
    <form ref={formRef} onSubmit={submit} noValidate className="grid gap-5">
      <FormFailure failure={failure} busy={busy} onRetry={submit} />
      {children}
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        {action}
      </Button>
    </form>
  )
}

export interface CredentialProps extends Omit<ComponentProps<'input'>, 'onChange' | 'type'> {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function EmailField({ onChange, error, hint, ...input }: CredentialProps & { hint?: string }) {
  return (
    <Field label={t`E-mail`} error={error} {...(hint && { hint })}>
      {(control) => (
        <Input {...control} type="email" autoComplete="username" {...input} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

interface PasswordFieldProps extends CredentialProps {
  label?: string
  /** The form sets a new password. */
  isNew?: boolean
  aside?: ReactNode
}

export function PasswordField({ label = t`Password`, isNew = false, aside, onChange, error, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} error={error} aside={aside} {...(isNew && { hint: t`At least ${LIMITS.passwordMin} characters.` })}>
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          {...input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Tells password managers which account the form belongs to. */
export function HiddenUsername({ email }: { email: string | undefined }) {
  return <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
}
