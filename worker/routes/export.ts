import { Hono } from 'hono'
import { signedIn } from '../auth/guard.ts'
import type { AppEnv } from '../context.ts'
import { limited } from '../http/limited.ts'
import { preferredLanguage } from '../http/preferred-language.ts'
import { collectionParam } from '../http/validate.ts'
import { contentDisposition } from '../media/content-disposition.ts'
import { SAFE } from '../media/file-response.ts'
import { exportCollection } from '../services/export/export-collection.ts'

export const exports = new Hono<AppEnv>().get('/', signedIn, limited('export'), async (c) => {
  const language = preferredLanguage(c.req.header('accept-language'))
  const caller = { ...c.var, bucket: c.env.FILES, origin: new URL(c.env.APP_ORIGIN).origin, language }
  const { name, body } = await exportCollection(caller, collectionParam(c))
  const headers = {
    ...SAFE,
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', name),
  }
  if (c.req.method !== 'HEAD') return c.body(body, 200, headers)
  await body.cancel()
  return c.body(null, 200, headers)
})
