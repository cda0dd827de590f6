import { contributionsMail } from '../content/contributions-mail.ts'
import { nameInMail } from '../content/mail-content.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { sendMail } from '../mail.ts'
import { nameIn, pushToUsers } from '../push/send.ts'
import { type ContributionNews, claimContributionNews } from '../queries/contributions.ts'
import { bodyOf } from './push-news.ts'

/** Tells admins, by mail and in their browsers, of what guests have sent: once for all that waits, and not again within the hour. */
export async function tellOfContributions(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const news = await claimContributionNews(db)
  if (news.length === 0) return
  const pushes = news.map((one) => ({ userIds: one.admins.map(({ id }) => id), message: messageOf(one) }))
  const mails = news.flatMap((one) => {
    const link = `${env.APP_ORIGIN}${pathOf(one)}`
    return one.admins.map(({ email }) =>
      sendMail(env, { to: email, ...contributionsMail({ what: mailed(one), collection: one.collection, link }) }),
    )
  })
  await Promise.allSettled([...mails, pushToUsers(env, db, pushes)])
}

const mailed = (news: ContributionNews) => bodyOf({ ...news, author: nameInMail(news.author) || 'A guest' })
const pathOf = ({ collectionId }: ContributionNews) => `/collections/settings?c=${collectionId}#contributions`

function messageOf(news: ContributionNews) {
  return {
    title: nameIn(news.collection),
    body: `${bodyOf(news)}. They wait for you`,
    path: pathOf(news),
    tag: `contributions ${news.collectionId}`,
  }
}
