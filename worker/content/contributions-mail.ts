import { t } from '#say'
import { type MailContent, mailContent } from './mail-content.ts'

/** `what` is a sentence as “Ana (guest) added 42 photos to a collection.”, with names that are safe in mails (nameInMail). The subject has no words of guests. */
export function contributionsMail({ what, link }: { what: string; link: string }): MailContent {
  return mailContent(t`Guests have added something to a collection on Cairn`, link, [
    what,
    { asks: t`Others see it once you accept it. To accept or decline, open the settings of the collection:` },
  ])
}
