import { Hono } from 'hono'
import { z } from 'zod'
import { t } from '#say'
import { foldEmail } from '../../contract/text.ts'
import { anyone } from '../auth/checks.ts'
import { isSignedHook } from '../auth/hook-signature.ts'
import { signInUnavailable } from '../auth/upstream.ts'
import { resetMail, verificationMail } from '../content/account-mail.ts'
import type { AppEnv } from '../context.ts'
import type { Env } from '../env.ts'
import { AppError, forbidden, notFound, unavailable } from '../http/errors.ts'
import { readBytes } from '../http/read-body.ts'
import { jsonOrNull } from '../http/read-json.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { sendMail } from '../mail.ts'
import { findLanguages } from '../queries/users.ts'
import { claimAsked } from '../services/accounts/mailed-link.ts'

const MAX_BYTES = 64 * 1024

/** Neon Auth's event for links. `link_url` redirects to the address that the worker gave, which has the sealed part of the link. */
const Event = z.object({
  event_id: z.uuid(),
  event_type: z.literal('send.magic_link'),
  user: z.object({ email: z.string() }),
  event_data: z.object({
    link_type: z.enum(['email-verification', 'forget-password']),
    link_url: z.url(),
    token: z.string().min(1),
  }),
})

/**
 * Sends the mails of the sign-in service in our own words. Sends none that the worker has not asked for, and each only once: anybody can call the service itself,
 * where our limits do not hold.
 */
export const signInHook = new Hono<AppEnv>().post('/', anyone, async (c) => {
  if (c.env.AUTH_PROVIDER === 'oidc') throw notFound(t`This call was not found`)
  const text = new TextDecoder().decode(await readBytes(c.req.raw, MAX_BYTES))
  if (!(await isSigned(text, c.req.raw.headers, c.env)))
    throw new AppError('unauthenticated', t`This call is not signed by the sign-in service`)
  const event = Event.safeParse(jsonOrNull(text)).data
  if (!event) throw new AppError('invalid', t`Expected a send.magic_link event with the link type email-verification or forget-password`)
  if (!c.env.MAIL_URL && !c.env.PREVIEW_KEY)
    throw unavailable(t`The mail service does not answer just now. Try again in a moment`, new Error('MAIL_URL is not set'))
  const sealed = sealedIn(event.event_data.link_url)
  const asked = await claimAsked({ env: c.env, db: c.var.db }, sealed, event.event_id)
  const kind = event.event_data.link_type === 'forget-password' ? 'reset' : 'verification'
  if (asked?.kind !== kind || foldEmail(event.user.email) !== asked.address)
    throw forbidden(t`This site did not ask for this mail, or its request has expired or been used`)
  const query = new URLSearchParams({ token: `${event.event_data.token}~${sealed}` })
  // This request is the service's: it tells nothing of the person's language. Somebody who registers has none in their profile yet.
  const known = await findLanguages(c.var.db, asked.kind === 'reset' ? asked.address : asked.account)
  const mail = inLanguage(known ? languageOfReader(known) : asked.language, () =>
    asked.kind === 'reset'
      ? resetMail(`${c.env.APP_ORIGIN}/reset-password?${query}`, asked)
      : verificationMail(`${c.env.APP_ORIGIN}/verify-email?${query}`, asked),
  )
  // After the answer: a mail service that is slow or down must not fail the call of the person who waits.
  c.executionCtx.waitUntil(sendMail(c.env, { to: asked.address, ...mail }, { once: event.event_id }))
  return c.json({ success: true }, 200, { 'cache-control': 'no-store' })
})

async function isSigned(text: string, headers: Headers, env: Env): Promise<boolean> {
  try {
    return await isSignedHook(text, headers, `${env.AUTH_URL.replace(/(?<!\/)\/+$/, '')}/.well-known/jwks.json`)
  } catch (error) {
    throw signInUnavailable(error)
  }
}

/** What the worker sealed into the address to which the service's own link redirects. */
function sealedIn(link: string): string {
  const target = new URL(link).searchParams.get('callbackURL') ?? ''
  return (URL.canParse(target) && new URL(target).searchParams.get('asked')) || ''
}
