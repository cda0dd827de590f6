import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { useEffect } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import { fetchInvitedAtom, invitedErrorTextAtom } from '../../atoms/collections.ts'
import { sessionUserAtom } from '../../atoms/session.ts'
import { sendVerificationAtom } from '../../atoms/sign-in.ts'
import { fetchSignInWaysAtom, signInWaysAtom } from '../../atoms/sign-in-ways.ts'
import { addErrorToastAtom, addToastAtom } from '../../atoms/toasts.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'

/** Sends the mail that confirms the user's address, and reports the result. */
export function useSendVerification() {
  const user = useAtomValue(sessionUserAtom)
  const sendVerification = useSetAtom(sendVerificationAtom)
  const addToast = useSetAtom(addToastAtom)
  const addError = useSetAtom(addErrorToastAtom)
  const email = user?.email ?? ''
  const send = () => {
    sendVerification().then(
      () => addToast({ title: t`Check your inbox`, description: t`We sent the link to ${email}.`, icon: 'mail' }),
      (error: unknown) => addError(t`The link could not be sent`, messageOf(error)),
    )
  }
  return { send, verified: user?.emailVerified ?? true }
}

/** Only for users whose address is not confirmed. They see no invitations, because the address might belong to another person. */
export function VerifyNotice() {
  const { send, verified } = useSendVerification()
  const store = useStore()
  const fetchInvited = useSetAtom(fetchInvitedAtom)
  const addError = useSetAtom(addErrorToastAtom)
  const { password } = useAtomValue(signInWaysAtom)
  const fetchWays = useSetAtom(fetchSignInWaysAtom)
  useEffect(() => {
    if (!verified) void fetchWays().catch(() => undefined)
  }, [verified, fetchWays])
  if (verified) return null
  const check = async () => {
    await fetchInvited()
    const failure = store.get(invitedErrorTextAtom)
    const user = store.get(sessionUserAtom)
    if (failure) return addError(failure)
    if (!user || user.emailVerified) return
    addError(
      password
        ? t`Confirm your e-mail address first. We sent a link to ${{ email: user.email }}`
        : t`Confirm your e-mail address first. Your sign-in service tells you how`,
    )
  }
  return (
    <Notice
      action={
        <span className="flex flex-wrap gap-2">
          {password && (
            <Button size="sm" onClick={send}>
              <Trans>Resend link</Trans>
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => void check()}>
            <Trans>I have confirmed it</Trans>
          </Button>
        </span>
      }
    >
      <Trans>Confirm your e-mail address to see invitations and to invite others.</Trans>{' '}
      {password ? t`We sent you a link when you registered.` : t`Your sign-in service tells you how.`}
    </Notice>
  )
}
