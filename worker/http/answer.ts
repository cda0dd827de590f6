import type { Context } from 'hono'
import type { ListPage } from '../queries/paging.ts'

/** The JSON of an object whose values are JSON texts; without those that are undefined. */
export function objectOf(texts: Record<string, string | undefined>): string {
  const members = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** Sends an object whose values are JSON texts made by the database, without parsing them. */
export function sendJson(
  c: Pick<Context, 'body'>,
  texts: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Response {
  return c.body(objectOf(texts), 200, { 'content-type': 'application/json', ...headers })
}

/** Fields of a page of a list, as JSON texts. */
export function pageTexts(name: 'posts' | 'assets', { items, deleted, nextCursor, revision }: ListPage) {
  return { [name]: items ?? undefined, nextCursor: JSON.stringify(nextCursor), revision: revision?.toString(), deleted }
}

/** A page of a list, or 304 if the caller has this version. */
export function sendPage(c: Pick<Context, 'body'>, name: 'posts' | 'assets', page: ListPage): Response {
  const headers: Record<string, string> = { 'cache-control': 'private, no-cache', ...(page.etag && { etag: page.etag }) }
  if (page.items === null) return c.body(null, 304, headers)
  return sendJson(c, { success: 'true', ...pageTexts(name, page) }, headers)
}
