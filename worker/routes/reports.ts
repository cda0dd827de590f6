import { Hono } from 'hono'
import { anyone } from '../auth/checks.ts'
import type { AppEnv } from '../context.ts'
import { logReports, MAX_REPORT_BYTES, readReports } from '../http/policy-reports.ts'
import { readBytes } from '../http/read-body.ts'
import { jsonOrNull } from '../http/read-json.ts'

/** Takes what browsers report. Always 204 for a body within the limit, so that the answer says nothing. */
export const reports = new Hono<AppEnv>().post('/', anyone, async (c) => {
  const bytes = await readBytes(c.req.raw, MAX_REPORT_BYTES)
  logReports(readReports(jsonOrNull(new TextDecoder().decode(bytes))))
  return c.body(null, 204, { 'cache-control': 'no-store' })
})
