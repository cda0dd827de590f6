import { Hono } from 'hono'
import { FeedQuery, FeedVisit } from '../../contract/feed.ts'
import { ownOnly } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { sendJson } from '../http/answer.ts'
import { body, query } from '../http/validate.ts'
import { listFeed, recordVisit } from '../queries/feed.ts'

export const feed = new Hono<AppEnv>()
  .get('/', signedIn, query(FeedQuery), async (c) => {
    const { items, ...rest } = await listFeed(c.var.db, c.var.user.id, c.req.valid('query'))
    const texts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)]))
    return sendJson(c, { success: 'true', items, ...texts }, { 'cache-control': 'private, no-cache' })
  })

  .put('/visit', signedIn, ownOnly, body(FeedVisit), async (c) => {
    const seenAt = await recordVisit(c.var.db, c.var.user.id, c.req.valid('json'))
    return c.json({ success: true, seenAt })
  })
