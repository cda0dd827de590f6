import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { t } from '#say'
import { Trans } from '#say/react'
import { linkTokenOf, readVerification, verifyEmail } from '../../contract/mailed-links.ts'
import { askSessionAtom, ensureSessionAtom, sessionUserAtom } from '../atoms/session.ts'
import { addToastAtom } from '../atoms/toasts.ts'
import { useSubmit } from '../components/overlays/use-submit.ts'
import { AuthForm, HiddenUsername, PasswordField } from '../components/session/auth-form.tsx'
import { AuthLayout, TextLink } from '../components/session/auth-layout.tsx'
import { Address } from '../components/session/mail-sent.tsx'
import { useLoad } from '../components/use-load.ts'
import { ApiError, call } from '../lib/api.ts'
import { PATHS } from '../lib/links.ts'
import { notifyTabs } from '../lib/tabs.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'

type Verification = z.infer<typeof readVerification.response>

/** Opened by the link in a mail. Nothing is confirmed until the button is pressed, because programs that read mail open links, too. */
export function VerifyEmailPage() {
  const [search] = useSearchParams()
  const token = linkTokenOf(search)
  return token ? <ReadLink key={token} token={token} /> : <VoidLink />
}

function ReadLink({ token }: { token: string }) {
  const [link, setLink] = useState<Verification | 'void' | null>(null)
  const [failure, load] = useLoad(async () => {
    try {
      setLink(await call(readVerification, { query: { token } }))
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 'gone' && error.code !== 'invalid')) throw error
      setLink('void')
    }
  })
  if (link === 'void') return <VoidLink />
  if (link) return <Confirm token={token} link={link} />
  if (!failure) return <AuthLayout title={t`Confirm your e-mail address`} lead={t`Reading the link …`} />
  return (
    <AuthLayout title={t`The link could not be read`} lead={failure}>
      <Button variant="primary" size="lg" onClick={load}>
        <Trans>Try again</Trans>
      </Button>
    </AuthLayout>
  )
}

/** A used link may have done its work: the same person opens it twice. */
function VoidLink() {
  const ensureSession = useSetAtom(ensureSessionAtom)
  const user = useAtomValue(sessionUserAtom)
  useEffect(() => {
    ensureSession().catch(() => undefined)
  }, [ensureSession])
  if (user?.emailVerified) {
    return (
      <AuthLayout
        title={t`This link no longer works`}
        lead={
          <Trans>
            It has expired, been used, or been replaced by a newer one. The confirmed address of your account is{' '}
            <Address email={user.email} />.
          </Trans>
        }
      >
        <ButtonLink to={PATHS.collections} variant="primary" size="lg">
          <Trans>Open your collections</Trans>
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t`This link does not work`}
      lead={t`It may have expired, been used, been replaced by a newer one, or be incomplete. Ask for a new one on the page of your collections.`}
    >
      <ButtonLink to={PATHS.collections} variant="primary" size="lg">
        <Trans>Open your collections</Trans>
      </ButtonLink>
    </AuthLayout>
  )
}

function Confirm({ token, link: { address, account, needsPassword: isOther } }: { token: string; link: Verification }) {
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const askSession = useSetAtom(askSessionAtom)
  const addToast = useSetAtom(addToastAtom)
  // Also if the session that asked has ended since the link was read.
  const [needsPassword, setNeedsPassword] = useState(isOther)
  const form = useSubmit(async () => {
    await call(verifyEmail, { body: { token, ...(needsPassword && { password }) } })
    // The session of this browser may have the new address now.
    notifyTabs('signed-in')
    const user = await askSession().catch(() => null)
    if (user?.email === address) return void (await navigate(`${PATHS.collections}?verified=1`))
    addToast({
      id: 'verified',
      title: t`Your e-mail address is confirmed`,
      ...(!user && { description: t`Sign in to continue.` }),
      color: 'success',
    })
    await navigate(PATHS.login)
  })
  if (form.fields.password && !needsPassword) setNeedsPassword(true)
  return (
    <AuthLayout
      title={t`Confirm your e-mail address`}
      lead={
        address === account ? (
          <Trans>
            Confirm that <Address email={address} /> is your address.
          </Trans>
        ) : (
          <Trans>
            Confirm that <Address email={address} /> is your address. It takes the place of <Address email={account} />.
          </Trans>
        )
      }
      foot={
        <>
          <Trans>If you did not ask for this, close this page.</Trans>{' '}
          {needsPassword && (
            <TextLink to={PATHS.forgotPassword}>
              <Trans>Forgot your password?</Trans>
            </TextLink>
          )}
        </>
      }
    >
      <AuthForm form={form} action={t`Confirm address`}>
        {needsPassword && (
          <>
            <HiddenUsername email={account} />
            <PasswordField
              label={t`Password of ${account}`}
              name="password"
              autoFocus
              required
              value={password}
              onChange={setPassword}
              error={form.fields.password}
            />
          </>
        )}
      </AuthForm>
    </AuthLayout>
  )
}
