import { t } from '#say'
import { LANGUAGES } from '../../contract/language/languages.ts'
import type { Env } from '../env.ts'
import { inLanguage } from '../language.ts'

/** The address at which a collection takes mail, by the secret of `mail_addresses`; null where the site takes none. */
export function mailAddress({ MAIL_IN_DOMAIN: domain }: Pick<Env, 'MAIL_IN_DOMAIN'>, secret: string): string | null {
  return domain ? `${secret}@${domain}` : null
}

/** A line in mails to which an answer becomes a post: nothing from there on is part of the answer. */
export const answerMark = () => `--- ${t`Write above this line to answer`} ---`

/** As it is in every language: nobody knows in which one the mail was that is answered. */
export const answerMarks = () => [...new Set(LANGUAGES.map(({ tag }) => inLanguage(tag, answerMark)))]
