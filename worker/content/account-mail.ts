import { t } from '#say'
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
  const browser = agentText(agent, '')
  const added = browser
    ? t`Somebody gave ${address} as the address of an account at Cairn, from ${browser}.`
    : t`Somebody gave ${address} as the address of an account at Cairn, from an unknown device.`
  const changed = browser
    ? t`The account ${account} asked to use ${address} as its address from now on, from ${browser}.`
    : t`The account ${account} asked to use ${address} as its address from now on, from an unknown device.`
  return mailContent(t`Confirm your e-mail address for Cairn`, link, [
    address === account ? added : changed,
    { asks: t`If it was you, open this link within an hour, in the browser in which you asked or with your password at hand:` },
    t`If it was not you, ignore this e-mail and do not forward it: nobody can confirm the address without this link, and opening it confirms nothing.`,
  ])
}

export function resetMail(link: string, { address, agent }: Asked): MailContent {
  const browser = agentText(agent, '')
  return mailContent(t`Choose a new password for Cairn`, link, [
    browser
      ? t`Somebody using ${browser} asked for a new password for the Cairn account ${address}, or tried to register with that address again.`
      : t`Somebody using an unknown device asked for a new password for the Cairn account ${address}, or tried to register with that address again.`,
    { asks: t`If it was you, open this link within an hour to choose a new password:` },
    t`Only the newest link works, and only once. If it was not you, ignore this e-mail: your password stays as it is.`,
  ])
}
