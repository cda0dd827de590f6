import { agentText } from '../../contract/agent-text.ts'
import { type MailContent, mailContent } from './mail-content.ts'

interface Asked {
  /** Of the mail. */
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
    'If it was not you, ignore this e-mail: without that browser or the password, nobody can confirm the address, and opening the link changes nothing.',
  ])
}

export function resetMail(link: string, { address, agent }: Asked): MailContent {
  return mailContent('Choose a new password for Cairn', link, [
    `Somebody asked for a new password for the account ${address} at Cairn, from ${browserOf(agent)}.`,
    'If it was you, open this link within an hour to choose a new password:',
    'Only the newest link works, and only once. If it was not you, ignore this e-mail: your password stays as it is.',
  ])
}

const browserOf = (agent: string | null) => agentText(agent).replace(/^An /, 'an ')
