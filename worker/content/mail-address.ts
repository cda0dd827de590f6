import type { Env } from '../env.ts'

/** The address at which a collection takes mail, by the secret of `mail_addresses`; null where the site takes none. */
export function mailAddress({ MAIL_IN_DOMAIN: domain }: Pick<Env, 'MAIL_IN_DOMAIN'>, secret: string): string | null {
  return domain ? `${secret}@${domain}` : null
}

/** A line in mails to which an answer becomes a post: nothing from there on is part of the answer. */
export const ANSWER_MARK = '--- Write above this line to answer ---'
