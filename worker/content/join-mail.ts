import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { InviteRole } from '../../contract/policy.ts'
import { type MailContent, mailContent, nameInMail } from './mail-content.ts'

const AS: Record<InviteRole, Said> = {
  read: msg({ message: 'as a reader', comment: 'Somebody would like to become a member of a collection …' }),
  write: msg({ message: 'as a writer', comment: 'Somebody would like to become a member of a collection …' }),
  admin: msg({ message: 'as an admin', comment: 'Somebody would like to become a member of a collection …' }),
}

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
  const person = nameInMail(name)
  const who = person ? `${person} (${email})` : email
  const plain = nameInMail(collection)
  const asRole = say(AS[role])
  return mailContent(t`Someone wants to join a collection on Cairn`, link, [
    plain
      ? t`${who} has opened a link to the collection “${{ collection: plain }}” and would like to become a member, ${asRole}.`
      : t`${who} has opened a link to a collection and would like to become a member, ${asRole}.`,
    { asks: t`To accept or decline, open the settings of the collection:` },
    t`Until you accept, they see what the link shows and nothing else.`,
  ])
}

export function joinedMail({ collection, link }: { collection: string; link: string }): MailContent {
  const plain = nameInMail(collection)
  return mailContent(t`You are now a member of a collection on Cairn`, link, [
    plain
      ? t`Your request was accepted: you are now a member of the collection “${{ collection: plain }}”.`
      : t`Your request was accepted: you are now a member of a collection.`,
    { asks: t`To see it, open:` },
  ])
}
