import { Hono } from 'hono'
import { say } from '#language'
import { msg } from '#say'
import { signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { sendJson } from '../http/answer.ts'
import { notFound } from '../http/errors.ts'
import { idParam } from '../http/validate.ts'
import { findTimeline } from '../queries/timeline.ts'

const NOT_FOUND = msg`The collection was not found`

export const timeline = new Hono<AppEnv>().get('/', signedInOrGuest, async (c) => {
  const known = c.req.header('if-none-match')
  const found = await findTimeline(c.var.db, c.var.user.id, idParam(c.req.param('id'), say(NOT_FOUND)), known)
  if (!found) throw notFound(say(NOT_FOUND))
  const headers = { 'cache-control': 'private, no-cache', etag: found.etag }
  if (found.buckets === null) return c.body(null, 304, headers)
  return sendJson(c, { success: 'true', buckets: found.buckets, revision: String(found.revision) }, headers)
})
