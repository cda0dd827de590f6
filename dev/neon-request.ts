import type { IncomingHttpHeaders } from 'node:http'

/** The request itself is invalid; nothing was sent to the database. */
export class BadRequest extends Error {}

export interface NeonQuery {
  query: string
  params: unknown[]
  arrayMode: boolean
}

export interface NeonRequest {
  user: string
  password: string
  database: string
  rawText: boolean
  queries: NeonQuery[]
  /** The opening statement of the batch's transaction, or undefined for a single query. */
  begin: string | undefined
}

const ISOLATION: Record<string, string> = {
  ReadUncommitted: 'read uncommitted',
  ReadCommitted: 'read committed',
  RepeatableRead: 'repeatable read',
  Serializable: 'serializable',
}

export function parseNeonRequest(headers: IncomingHttpHeaders, text: string): NeonRequest {
  const body = parseObject(text)
  const arrayMode = headers['neon-array-mode'] === 'true'
  const batch = Array.isArray(body.queries)
  const queries = (batch ? (body.queries as unknown[]) : [body]).map((query) => parseQuery(query, arrayMode))
  return {
    ...parseConnection(headers['neon-connection-string']),
    rawText: headers['neon-raw-text-output'] === 'true',
    queries,
    begin: batch ? beginStatement(headers) : undefined,
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Answered below, like any other body that is not an object.
  }
  throw new BadRequest('The body is not a JSON object')
}

function parseQuery(value: unknown, arrayMode: boolean): NeonQuery {
  const { query, params, arrayMode: own } = (value ?? {}) as Record<string, unknown>
  if (typeof query !== 'string') throw new BadRequest('A query needs its text in "query"')
  if (params !== undefined && !Array.isArray(params)) throw new BadRequest('"params" is not a list')
  return { query, params: params ?? [], arrayMode: typeof own === 'boolean' ? own : arrayMode }
}

/** Ignores host and port: this endpoint serves one Postgres, whatever the URL says. */
function parseConnection(header: string | string[] | undefined): Pick<NeonRequest, 'user' | 'password' | 'database'> {
  if (typeof header !== 'string' || !URL.canParse(header)) throw new BadRequest('Neon-Connection-String is not a URL')
  const url = new URL(header)
  return {
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
  }
}

function beginStatement(headers: IncomingHttpHeaders): string {
  const isolation = headers['neon-batch-isolation-level']
  const level = typeof isolation === 'string' ? ISOLATION[isolation] : undefined
  if (isolation !== undefined && !level) throw new BadRequest(`There is no isolation level "${isolation}"`)
  const modes = [
    level && `isolation level ${level}`,
    flag(headers['neon-batch-read-only'], 'read only', 'read write'),
    flag(headers['neon-batch-deferrable'], 'deferrable', 'not deferrable'),
  ]
  return ['begin', modes.filter(Boolean).join(', ')].join(' ').trim()
}

function flag(value: string | string[] | undefined, yes: string, no: string): string | undefined {
  return value === undefined ? undefined : value === 'true' ? yes : no
}

/** Whether the database was unavailable, so that the caller may retry, as opposed to an invalid query. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // 08 connection, 53 out of resources, 57P shutdown and crash; the rest are errors of the socket and of pg.
  return (
    /^(08|53|57P0[1-5])/.test(code) ||
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) ||
    /connection (terminated|timeout)|timeout exceeded when trying to connect|client has encountered a connection error/i.test(error.message)
  )
}
