import { useAtomValue } from 'jotai'
import { useSearchParams } from 'react-router'
import { socialSignIn } from '../../../contract/auth.ts'
import { signInWaysAtom } from '../../atoms/sign-in-ways.ts'
import { urlOf } from '../../lib/api.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/states.tsx'

/** Names of sign-in services as users know them. */
const NAMES: Record<string, string> = { oidc: 'single sign-on' }

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
          Continue with {NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1)}
        </ButtonLink>
      ))}
      {password && <p className="text-center text-muted text-sm">or use your e-mail address</p>}
    </div>
  )
}

const FAILURES: Record<string, string> = {
  cancelled: 'Sign-in was cancelled. You are not signed in.',
  expired: 'This sign-in has expired or was already used. Try again.',
  refused: 'The sign-in service’s answer could not be verified. Try again.',
  taken: 'Another account here has your e-mail address. Confirm the address at your sign-in service, then sign in again.',
  often: 'Too many attempts. Wait a few minutes, then try again.',
  unavailable: 'The sign-in service is not responding. Try again in a moment.',
}

/** Why a sign-in service redirected back with an error: `?failed=`. */
export function SocialFailure() {
  const why = useSearchParams()[0].get('failed')
  const message = why !== null && Object.hasOwn(FAILURES, why) ? FAILURES[why] : undefined
  return message === undefined ? null : <Notice tone={why === 'cancelled' ? 'info' : 'warning'}>{message}</Notice>
}
