/** How the invited person is informed. */
export function invitationHint(mailed: boolean): string {
  return mailed
    ? 'We have sent them an e-mail. They also see the invitation when they sign in with this address.'
    : 'This site does not send e-mail. Ask them to sign in with this address to see the invitation.'
}
