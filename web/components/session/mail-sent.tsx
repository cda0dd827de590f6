import type { ReactNode } from 'react'
import { Trans } from '#say/react'
import { PATHS } from '../../lib/links.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AuthLayout } from './auth-layout.tsx'

/** Shown after a form that sends mail. Its lead is the same whether or not the address is known. */
export function MailSent({ title, lead }: { title: string; lead: ReactNode }) {
  return (
    <AuthLayout title={title} lead={lead}>
      <div role="status" className="flex items-start gap-3 rounded-lg bg-muted p-4 text-sm">
        <Icon name="mail" className="mt-0.5" />
        <p>
          <Trans>It can take a minute. Check your spam folder too.</Trans>
        </p>
      </div>
      <ButtonLink to={PATHS.login} size="lg">
        <Trans>Back to sign-in</Trans>
      </ButtonLink>
    </AuthLayout>
  )
}

export function Address({ email }: { email: string }) {
  return <strong className="font-semibold break-words text-(--text)">{email}</strong>
}
