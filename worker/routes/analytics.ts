import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { analyticsHost } from '../http/headers.ts'

export const analytics = new Hono<AppEnv>().get('/config', (c) => {
  const { ANALYTICS_KEY: key } = c.env
  return c.json({ success: true, analytics: key ? { key, host: analyticsHost(c.env) } : null })
})
