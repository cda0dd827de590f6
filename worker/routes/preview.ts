import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { t } from '#say'
import { digest } from '../../contract/bytes.ts'
import { anyone } from '../auth/checks.ts'
import type { AppEnv } from '../context.ts'
import { AppError, notFound } from '../http/errors.ts'
import { caughtMails } from '../mail.ts'
import { sweep } from '../services/sweep.ts'

/** Requires PREVIEW_KEY as bearer. Throws 404 where it is not set, which is everywhere but on previews. */
const requireKey = createMiddleware<AppEnv>(async (c, next) => {
  const { PREVIEW_KEY: key } = c.env
  if (!key) throw notFound(t`This address was not found`)
  const given = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  // Compares hashes, so that the time it takes says nothing about the key.
  if ((await digest(given)) !== (await digest(key)))
    throw new AppError('unauthenticated', t`Send the key of this preview as a bearer token`)
  c.header('cache-control', 'no-store')
  await next()
})

/** Stands for what a preview lacks: the cron, and a mail service. Not part of the API. */
export const preview = new Hono<AppEnv>()
  .use(requireKey)
  // A call without a session: requireKey guards it.
  .post('/minute', anyone, async (c) => {
    await sweep(c.env)
    return c.json({ success: true })
  })
  .get('/mails', async (c) => c.json({ success: true, mails: await caughtMails(c.env.FILES) }))
