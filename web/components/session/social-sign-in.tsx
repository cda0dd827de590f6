import { useAtomValue } from 'jotai'
import { useSearchParams } from 'react-router'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import { socialSignIn } from '../../../contract/auth.ts'
import { signInWaysAtom } from '../../atoms/sign-in-ways.ts'
import { urlOf } from '../../lib/api.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/states.tsx'

/** A sign-in service as users know it. */
const nameOf = (provider: string) => provider.charAt(0).toUpperCase() + provider.slice(1)

/** The sign-in services that redirect to their own pages. The home page then leads to the requested page. */
export function SocialSignIn() {
  const { password, social } = useAtomValue(signInWaysAtom)
  if (social.length === 0) return null
  return (
    <div className="grid gap-3">
      {social.map((provider) => (
        <ButtonLink
          key={provider}
          to={urlOf(socialSignIn.path, { params: { provider } })}
          reloadDocument
          variant={password ? 'secondary' : 'primary'}
          size="lg"
        >
          {provider === 'oidc' ? t`Continue with single sign-on` : t`Continue with ${nameOf(provider)}`}
        </ButtonLink>
      ))}
      {password && (
        <p className="text-center text-muted text-sm">
          <Trans>or use your e-mail address</Trans>
        </p>
      )}
    </div>
  )
}

const FAILURES: Record<string, Said> = {
  cancelled: msg`Sign-in was cancelled. You are not signed in.`,
  expired: msg`This sign-in has expired or was already used. Try again.`,
  refused: msg`The sign-in service’s answer could not be verified. Try again.`,
  taken: msg`Another account here has your e-mail address. Confirm the address at your sign-in service, then sign in again.`,
  often: msg`Too many attempts. Wait a few minutes, then try again.`,
  unavailable: msg`The sign-in service is not responding. Try again in a moment.`,
}

/** Why a sign-in service redirected back with an error: `?failed=`. */
export function SocialFailure() {
  const why = useSearchParams()[0].get('failed')
  const message = why !== null && Object.hasOwn(FAILURES, why) ? FAILURES[why] : undefined
  return message === undefined ? null : <Notice tone={why === 'cancelled' ? 'info' : 'warning'}>{say(message)}</Notice>
}
