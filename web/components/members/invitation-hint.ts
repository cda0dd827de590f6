import { t } from '#say'

/** How the invited person is informed. */
export function invitationHint(mailed: boolean): string {
  return mailed
    ? t`We have sent them an e-mail. They also see the invitation when they sign in with this address.`
    : t`This site does not send e-mail. Ask them to sign in with this address to see the invitation.`
}
