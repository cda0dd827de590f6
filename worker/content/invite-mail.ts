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
export const INVITATION_SUBJECT = 'You are invited to a collection on Cairn'

export function invitationMail({ collection, inviterName, inviterEmail, email, link, until }: Invitation): MailContent {
  const inviter = nameInMail(inviterName ?? '')
  const who = inviter ? `${inviter} (${inviterEmail})` : inviterEmail
  return mailContent(INVITATION_SUBJECT, link, [
    `${who} would like to share ${collectionIn(collection)} with you.`,
    `To accept the invitation, sign in or create an account with this address, ${email}:`,
    `The invitation is valid until ${until}. If you do not know ${inviter || inviterEmail}, ignore this e-mail.`,
  ])
}

/** `the collection “Kyoto”`, or less if nothing is left of its name. */
export function collectionIn(name: string): string {
  const plain = nameInMail(name)
  return plain ? `the collection “${plain}”` : 'a collection'
}
