import { NeonDbError } from '@neondatabase/serverless'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { plural, t } from '#say'
import { ERROR_STATUS, type ErrorCode, type Refusal } from '../../contract/errors.ts'
import { formatSize } from '../../contract/format-size.ts'
import type { AppEnv } from '../context.ts'
import type { LimitName } from '../queries/rate-limits.ts'
import { errorPage } from './error-page.ts'
import { routeOf } from './log-request.ts'

/** An error for the caller. `message` tells the user what to do; `detail` is merged into the body, such as the current row of a conflict. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly detail: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: Record<string, string>; detail?: Record<string, unknown>; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.fields = more.fields
    this.detail = more.detail
    this.retryAfter = more.retryAfter
  }
}

/** An error about one field of the body, whose message is also that of the field. */
export const fieldError = (code: ErrorCode, field: string, message: string) => new AppError(code, message, { fields: { [field]: message } })
export const notFound = (message: string) => new AppError('not_found', message)
export const collectionNotFound = () => notFound(t`The collection was not found`)
export const forbidden = (message: string) => new AppError('forbidden', message)
export const accountDeleted = () => new AppError('unauthenticated', t`This account has been deleted`)
export const unavailable = (message: string, cause?: unknown) => new AppError('unavailable', message, { retryAfter: 2, cause })
/** `sentence` is told a time such as `3 minutes`, and `wait` are the seconds until the next try. */
export const tooMany = (sentence: (wait: string) => string, wait: number) =>
  new AppError('rate_limited', sentence(waitText(wait)), { retryAfter: wait })

/** A time such as `3 minutes`, rounded up. */
export function waitText(seconds: number): string {
  if (seconds < 60) return t`${plural(seconds, { one: 'a second', other: '# seconds' })}`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return t`${plural(minutes, { one: 'a minute', other: '# minutes' })}`
  const hours = Math.ceil(minutes / 60)
  return t`${plural(hours, { one: 'an hour', other: '# hours' })}`
}

/**
 * Turns any exception into a response: a page for navigations, else JSON. Unknown errors are logged with the request's id, and the response
 * has no details.
 */
export function onError(thrown: unknown, c: Context<AppEnv>): Response | Promise<Response> {
  const error = toAppError(thrown)
  if (error.code === 'internal' || error.code === 'unavailable') {
    console.error(JSON.stringify({ level: 'error', request: c.var.requestId, route: routeOf(c), error: describe(thrown) }))
  }
  const { code, message, detail, retryAfter } = error
  const status = ERROR_STATUS[code]
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : undefined
  if (isNavigation(c)) {
    return c.html(errorPage({ status, message, requestId: c.var.requestId }), status, { ...headers, 'cache-control': 'no-store' })
  }
  return c.json({ success: false, error: refusalOf(error), ...detail }, status, headers)
}

/** Browsers before 2023 do not tell how they fetch, but ask for a page first. */
function isNavigation(c: Context<AppEnv>): boolean {
  const mode = c.req.header('sec-fetch-mode')
  return mode ? mode === 'navigate' : c.req.header('accept')?.startsWith('text/html') === true
}

export function refusalOf({ code, message, fields }: AppError): Refusal {
  return { code, message, ...(fields && { fields }) }
}

/** Raised by check_access for a session or an access token that has been revoked (migrations/0026_sessions.sql). */
const ACCESS_ENDED = 'CA002'

/** The error for a SQLSTATE that our SQL raises, and its `detail`. */
const RAISED: Record<string, (detail: string) => AppError> = {
  /** By triggers for a write by a deleted account (migrations/0018_living_accounts.sql). */
  CA001: () => accountDeleted(),
  [ACCESS_ENDED]: () => new AppError('unauthenticated', t`You have been signed out, or this access token was revoked. Sign in again`),
  /** By triggers for what would exceed a quota (migrations/0028_quotas.sql). */
  CA003: (detail) => quotaExceeded(detail),
  /** By require_attempts at a limit (migrations/0034_raised_limits.sql). */
  CA004: (detail) => limitReached(detail),
  /** By check_guest once the link has ended (migrations/0044_links.sql). */
  CA005: () => new AppError('unauthenticated', t`This link has ended. Ask whoever sent it for a new one`),
  /** By begin_answer for a link that lets people look alone (migrations/0045_guests_answer.sql). */
  CA006: () => forbidden(t`This link lets you view, but not comment`),
  /** By begin_add for a link by which guests add nothing, and by a trigger where too many files wait (migrations/0048_contributions.sql). */
  CA007: () => forbidden(t`This link does not let you add anything`),
  CA008: () => new AppError('conflict', t`Too many files are on their way here, or wait for an admin. Try again later`),
}

/** Turns anything thrown into an error with a message for the caller. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof HTTPException && thrown.status === 400) return new AppError('invalid', t`The request could not be read`)
  const database = databaseError(thrown)
  const raised = RAISED[database?.code ?? '']
  if (raised) return raised(database?.detail ?? '')
  if (database && isMissingReference(database))
    return new AppError('not_found', t`What this belongs to is not there any more`, { cause: thrown })
  if (database && isOutage(database)) return unavailable(t`The database does not answer just now. Try again in a moment`, thrown)
  return new AppError('internal', t`Something went wrong on our side. Try again, and tell us if it keeps happening`, { cause: thrown })
}

/** `detail` is JSON of require_attempts. */
function limitReached(detail: string): AppError {
  const { what, wait: seconds } = JSON.parse(detail) as { what: LimitName; wait: number }
  return tooMany(TOO_MANY[what], seconds)
}

/** `wait` is a time such as `3 minutes`. */
export const TOO_MANY: Record<LimitName, (wait: string) => string> = {
  upload: (wait) => t`Too many files for now. Try again in ${wait}`,
  comment: (wait) => t`Too many comments for now. Try again in ${wait}`,
  reaction: (wait) => t`Too many reactions for now. Try again in ${wait}`,
  importedAnswer: (wait) => t`Too many imported comments for now. Try again in ${wait}`,
  tries: (wait) => t`Too many attempts. Try again in ${wait}`,
}

/** `detail` is JSON of require_quota. */
function quotaExceeded(detail: string): AppError {
  const { full, name, limit, value } = JSON.parse(detail) as { full: string; name: string | null; limit: 'bytes' | 'items'; value: number }
  const most = limit === 'bytes' ? formatSize(value) : t`${plural({ count: value }, { one: '# post or file', other: '# posts and files' })}`
  const message =
    full === 'account'
      ? t`This does not fit: your account may hold ${most}. Move what you no longer need to the trash and delete it there, or ask the people who run this site for more`
      : t`This does not fit: “${{ collection: name ?? '' }}” may hold ${most}. Remove something from the collection (what is in the trash still counts), or add this to another one`
  return new AppError('quota_exceeded', message)
}

/** The database error in the chain of causes, or null. */
export function databaseError(thrown: unknown): NeonDbError | null {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error instanceof NeonDbError) return error
  return null
}

/** True once the session or access token of a request has been revoked. */
export function isAccessEnded(thrown: unknown): boolean {
  return databaseError(thrown)?.code === ACCESS_ENDED
}

/** True for a violation of this constraint, such as `invites_one_per_address`. */
export function violates(thrown: unknown, constraint: string): boolean {
  return databaseError(thrown)?.constraint === constraint
}

/** A foreign key violation: the referenced row was deleted after it was looked up. */
function isMissingReference({ code, detail }: NeonDbError): boolean {
  return code === '23503' && / is not present in table /.test(detail ?? '')
}

/**
 * True for: no connection, deadlock, too many connections, disk full, lock, statement or idle timeout, shutdown, read-only standby, and no
 * SQLSTATE (the endpoint did not answer).
 */
function isOutage(error: NeonDbError): boolean {
  return !error.code || /^(08|40|53|57|58)|^(55P03|25P03|25006)$/.test(error.code)
}

/** An error for the log. Omits the values of a statement, which are personal: drizzle's error quotes them, and so does the database for malformed values (class 22). */
export function describe(thrown: unknown): string {
  const database = databaseError(thrown)
  if (database) return `database ${database.code ?? ''} ${database.code?.startsWith('22') ? '' : database.message}`.trim()
  if (!(thrown instanceof Error)) return typeof thrown
  return thrown.cause instanceof Error ? describe(thrown.cause) : (thrown.stack ?? thrown.message)
}

/** Logs a failure that no response reports. `about` has further fields, such as an id. */
export function warn(what: string, error: unknown, about: Record<string, string> = {}): void {
  console.warn(JSON.stringify({ level: 'warn', what, ...about, error: describe(error) }))
}
