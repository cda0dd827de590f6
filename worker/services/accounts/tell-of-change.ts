import { shownLanguage } from '#language'
import { dateFormat } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Profile } from '../../../contract/users.ts'
import { authProvider } from '../../auth/choose-provider.ts'
import { addressChangedMail, passwordChangedMail } from '../../content/account-mail.ts'
import type { MailContent } from '../../content/mail-content.ts'
import { connect } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { inLanguage, languageOfReader } from '../../language.ts'
import { sendMail } from '../../mail.ts'
import { findConfirmedProfile } from '../../queries/users.ts'

/** Mails the user at their confirmed address that their password is another one. `agent` is the User-Agent of the browser that set it. */
export async function tellOfPassword(env: Env, userId: string, agent: string | null): Promise<void> {
  const profile = await findConfirmedProfile(connect(env.DATABASE_URL, env.NEON_PROXY), userId)
  if (!profile) return
  const to = profile.email
  const write = (day: string) => passwordChangedMail(`${env.APP_ORIGIN}/forgot-password`, { address: to, agent, day })
  await sendMail(env, { to, ...mailOfToday(profile, write) })
}

/** Mails the address that the account had `before` that it has another one. A service of one's own tells of that itself. */
export async function tellOfAddress(env: Env, before: string, profile: Profile): Promise<void> {
  if (!authProvider(env).account) return
  const write = (day: string) => addressChangedMail(env.SECURITY_CONTACT || env.APP_ORIGIN, { address: before, day })
  await sendMail(env, { to: before, ...mailOfToday(profile, write) })
}

/** In the reader's language, with today's date as they write it. */
function mailOfToday(reader: Profile, write: (day: string) => MailContent): MailContent {
  return inLanguage(languageOfReader(reader), () => {
    const dates = dateFormat(reader, { language: reader.language, timeZone: 'UTC' }, shownLanguage())
    return write(dates.day(dayOf(new Date().toISOString(), dates.timeZone) ?? ''))
  })
}
