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

/** Tells of a new password. `day` is the day of the change as the reader writes it, `link` the page on which another is asked for. */
export function passwordChangedMail(link: string, { address, agent, day }: Asked & { day: string }): MailContent {
  return mailContent(t`The password of your Cairn account was changed`, link, [
    t`The password of the Cairn account ${address} was changed.`,
    `${day} · ${agentText(agent)}`,
    { asks: t`If it was you, there is nothing to do. If it was not, set a new password at once, which signs out every device:` },
  ])
}

/** Tells `address` that the account has another one from now on. `link` is the site's operator, or the site. */
export function addressChangedMail(link: string, { address, day }: { address: string; day: string }): MailContent {
  return mailContent(t`The address of your Cairn account was changed`, link, [
    t`The Cairn account ${address} has another e-mail address from now on.`,
    day,
    { asks: t`If it was you, there is nothing to do. If it was not, tell the site’s operator at once:` },
  ])
}
