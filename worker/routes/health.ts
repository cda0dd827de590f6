import { Hono } from 'hono'
import { t } from '#say'
import type { AppEnv } from '../context.ts'
import { unavailable } from '../http/errors.ts'
import { RELEASE } from '../http/release.ts'
import { pingDatabase } from '../queries/health.ts'

export const health = new Hono<AppEnv>().get('/', async (c) => {
  const [database, storage] = await Promise.allSettled([pingDatabase(c.var.db), c.env.FILES.head('health')])
  if (database.status === 'rejected') throw unavailable(t`The database does not answer just now. Try again in a moment`, database.reason)
  if (storage.status === 'rejected') throw unavailable(t`The storage does not answer just now. Try again in a moment`, storage.reason)
  return c.json({ success: true, version: RELEASE, database: 'ok', storage: 'ok' })
})
