import { t } from '#say'
import { type MailContent, mailContent, nameInMail } from './mail-content.ts'

interface Invitation {
  collection: string
  /** Null if the inviter has not given one. */
  inviterName: string | null
  /** Confirmed. */
  inviterEmail: string
  email: string
  link: string
  /** The last day on which it can be accepted, as the invited person writes dates. */
  until: string
}

/** Without words of the inviter in the subject: anybody can be invited, also by a stranger. */
export const invitationSubject = () => t`You are invited to a collection on Cairn`

export function invitationMail({ collection, inviterName, inviterEmail, email, link, until }: Invitation): MailContent {
  const inviter = nameInMail(inviterName ?? '')
  const who = inviter ? `${inviter} (${inviterEmail})` : inviterEmail
  const plain = nameInMail(collection)
  return mailContent(invitationSubject(), link, [
    plain
      ? t`${who} would like to share the collection “${{ collection: plain }}” with you.`
      : t`${who} would like to share a collection with you.`,
    { asks: t`To accept the invitation, sign in or create an account with this address, ${email}:` },
    t`The invitation is valid until ${until}. If you do not know ${{ inviter: inviter || inviterEmail }}, ignore this e-mail.`,
  ])
}
