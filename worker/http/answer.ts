import type { Context } from 'hono'
import type { ListPage } from '../queries/paging.ts'

/** Sends an object whose values are JSON texts made by the database, without parsing them. */
export function sendJson(
  c: Pick<Context, 'body'>,
  texts: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Response {
  const members = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  return c.body(text, 200, { 'content-type': 'application/json', ...headers })
}

/** A page of a list, or 304 if the caller has this version. */
export function sendPage(c: Pick<Context, 'body'>, name: 'posts' | 'assets', page: ListPage): Response {
  const headers: Record<string, string> = { 'cache-control': 'private, no-cache', ...(page.etag && { etag: page.etag }) }
  if (page.items === null) return c.body(null, 304, headers)
  const { items, deleted, nextCursor, revision } = page
  const texts = { success: 'true', [name]: items, nextCursor: JSON.stringify(nextCursor), revision: revision?.toString(), deleted }
  return sendJson(c, texts, headers)
}
