import type { InviteRole } from '../../contract/policy.ts'
import { collectionIn } from './invite-mail.ts'
import { type MailContent, mailContent, nameInMail } from './mail-content.ts'

const AS: Record<InviteRole, string> = { read: 'as a reader', write: 'as a writer', admin: 'as an admin' }

/** Without words of others in the subject: anybody who has the link can ask. */
export function joinRequestMail({
  collection,
  name,
  email,
  role,
  link,
}: {
  collection: string
  name: string
  /** Confirmed. */
  email: string
  role: InviteRole
  link: string
}): MailContent {
  const plain = nameInMail(name)
  const who = plain ? `${plain} (${email})` : email
  return mailContent('Someone wants to join a collection on Cairn', link, [
    `${who} has opened a link to ${collectionIn(collection)} and would like to become a member, ${AS[role]}.`,
    'To accept or decline, open the settings of the collection:',
    'Until you accept, they see what the link shows and nothing else.',
  ])
}

export function joinedMail({ collection, link }: { collection: string; link: string }): MailContent {
  return mailContent('You are now a member of a collection on Cairn', link, [
    `Your request was accepted: you are now a member of ${collectionIn(collection)}.`,
    'To see it, open:',
  ])
}
