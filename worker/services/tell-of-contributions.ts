import { t } from '#say'
import { contributionsMail } from '../content/contributions-mail.ts'
import { nameInMail } from '../content/mail-content.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { sendMail } from '../mail.ts'
import { nameIn, pushToUsers } from '../push/send.ts'
import { type ContributionNews, claimContributionNews } from '../queries/contributions.ts'
import { bodyOfWaiting, sentenceOf } from './push-news.ts'

/** Tells admins, by mail and in their browsers, of what guests have sent: once for all that waits, and not again within the hour. */
export async function tellOfContributions(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const news = await claimContributionNews(db)
  if (news.length === 0) return
  const told = news.flatMap((one) => one.admins.map((admin) => ({ one, admin, language: languageOfReader(admin) })))
  const pushes = told.map(({ one, admin, language }) => ({ userIds: [admin.id], message: inLanguage(language, () => messageOf(one)) }))
  const mails = told.map(async ({ one, admin, language }) => {
    const link = `${env.APP_ORIGIN}${pathOf(one)}`
    return admin.email && sendMail(env, { to: admin.email, ...inLanguage(language, () => contributionsMail({ what: mailed(one), link })) })
  })
  await Promise.allSettled([...mails, pushToUsers(env, db, pushes)])
}

const mailed = (news: ContributionNews) => sentenceOf({ ...news, author: nameInMail(news.author) || t`A guest` }, news.collection)
const pathOf = ({ collectionId }: ContributionNews) => `/collections/settings?c=${collectionId}#contributions`

function messageOf(news: ContributionNews) {
  return {
    title: nameIn(news.collection),
    body: bodyOfWaiting(news),
    path: pathOf(news),
    tag: `contributions ${news.collectionId}`,
  }
}
