import { Hono } from 'hono'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { idParam } from '../http/validate.ts'
import { readAccountUsage, readCollectionUsage } from '../queries/usage.ts'

export const usage = new Hono<AppEnv>().get('/', signedIn, async (c) => {
  return c.json({ success: true, usage: await readAccountUsage(c.var.db, c.var.user.id) })
})

/** Mounted below a collection. */
export const collectionUsage = new Hono<AppEnv>().get('/', signedIn, async (c) => {
  const found = await readCollectionUsage(c.var.db, c.var.user.id, idParam(c.req.param('id'), 'The collection'))
  if (!found) throw notFound('The collection')
  return c.json({ success: true, usage: found })
})
