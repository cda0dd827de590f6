import { Hono } from 'hono'
import { signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { sendJson } from '../http/answer.ts'
import { collectionNotFound } from '../http/errors.ts'
import { collectionParam } from '../http/validate.ts'
import { findTimeline } from '../queries/timeline.ts'

export const timeline = new Hono<AppEnv>().get('/', signedInOrGuest, async (c) => {
  const known = c.req.header('if-none-match')
  const found = await findTimeline(c.var.db, c.var.user.id, collectionParam(c), known)
  if (!found) throw collectionNotFound()
  const headers = { 'cache-control': 'private, no-cache', etag: found.etag }
  if (found.buckets === null) return c.body(null, 304, headers)
  return sendJson(c, { success: 'true', buckets: found.buckets, revision: String(found.revision) }, headers)
})
