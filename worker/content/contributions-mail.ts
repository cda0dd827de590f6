import { collectionIn } from './invite-mail.ts'
import { type MailContent, mailContent } from './mail-content.ts'

/** `what` is as in “Ana (guest) added 42 photos”, with a name that is safe in mails (nameInMail). The subject has no words of guests. */
export function contributionsMail({ what, collection, link }: { what: string; collection: string; link: string }): MailContent {
  return mailContent('Guests have added something to a collection on Cairn', link, [
    `${what} to ${collectionIn(collection)}.`,
    'Others see it once you accept it. To accept or decline, open the settings of the collection:',
  ])
}
