import { type Context, Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { noneMatch } from '../media/conditions.ts'
import { type Published, publishedDocs } from '../openapi/published.ts'

export const docs = new Hono<AppEnv>()
  .get('/openapi.json', async (c) => send(c, (await publishedDocs(c.env)).json))
  .get('/docs', async (c) => send(c, (await publishedDocs(c.env)).page))

function send(c: Context<AppEnv>, { text, etag, headers }: Published): Response {
  const always = { ...headers, etag, 'cache-control': 'public, max-age=300' }
  // A cache that compresses the response makes the tag weak.
  return noneMatch(c.req.header('if-none-match'), etag) ? c.body(null, 304, always) : c.body(text, 200, always)
}
