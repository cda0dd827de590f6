import { agentText } from '../../contract/agent-text.ts'
import { type MailContent, mailContent } from './mail-content.ts'

interface Asked {
  /** Where the mail goes. */
  address: string
  /** User-Agent of the browser that asked. */
  agent: string | null
}

/** Asks to confirm an address. `account` is the present address of the account; it differs where another is to take its place. */
export function verificationMail(link: string, { address, account, agent }: Asked & { account: string }): MailContent {
  const asked =
    address === account
      ? `Somebody gave ${address} as the address of an account at Cairn, from ${browserOf(agent)}.`
      : `The account ${account} asked to use ${address} as its address from now on, from ${browserOf(agent)}.`
  return mailContent('Confirm your e-mail address for Cairn', link, [
    asked,
    'If it was you, open this link within an hour, in the browser in which you asked or with your password at hand:',
    'If it was not you, ignore this e-mail and do not forward it: nobody can confirm the address without this link, and opening it confirms nothing.',
  ])
}

export function resetMail(link: string, { address, agent }: Asked): MailContent {
  return mailContent('Choose a new password for Cairn', link, [
    `Somebody using ${browserOf(agent)} asked for a new password for the Cairn account ${address}, or tried to register with that address again.`,
    'If it was you, open this link within an hour to choose a new password:',
    'Only the newest link works, and only once. If it was not you, ignore this e-mail: your password stays as it is.',
  ])
}

const browserOf = (agent: string | null) => agentText(agent).replace(/^An /, 'an ')
