/** How the invited person is informed. */
export function howTheyHear(mailed: boolean): string {
  return mailed
    ? 'We have written to them, and they find it in Cairn under this address.'
    : 'This site sends no mail. Tell them to sign in with this address: the invitation waits there.'
}
