import { Hono } from 'hono'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { sendJson } from '../http/answer.ts'
import { collectionNotFound } from '../http/errors.ts'
import { collectionParam } from '../http/validate.ts'
import { listUnattachedItems, readAccountUsage, readCollectionUsage } from '../queries/usage.ts'

export const usage = new Hono<AppEnv>()
  .get('/', signedIn, async (c) => c.json({ success: true, usage: await readAccountUsage(c.var.db, c.var.user.id) }))
  .get('/unattached', signedIn, async (c) => {
    const { posts, assets } = await listUnattachedItems(c.var.db, c.var.user.id)
    return sendJson(c, { success: 'true', posts, assets })
  })

/** Mounted below a collection. */
export const collectionUsage = new Hono<AppEnv>().get('/', signedIn, async (c) => {
  const found = await readCollectionUsage(c.var.db, c.var.user.id, collectionParam(c))
  if (!found) throw collectionNotFound()
  return c.json({ success: true, usage: found })
})
