import { t } from '#say'
import { CALLER_HEADER } from '../../contract/auth.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type ErrorCode, Failure } from '../../contract/errors.ts'
import type { z } from '../../contract/zod.ts'
import { backOff } from './back-off.ts'
import { guestLink } from './guest/link.ts'

/** `offline`: no response at all. `unreadable`: a response that does not match the contract. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreadable'

interface Details {
  status?: number
  fields?: Record<string, string> | undefined
  /** Seconds to wait, if the server says. */
  retryAfter?: number | undefined
  /** Id of the call in the server's log. */
  requestId?: string | undefined
}

/** A failed call. `message` can be shown to the user; `fields` belongs beside the inputs. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly fields: Record<string, string>
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined

  constructor(code: ApiErrorCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? 0
    this.fields = details.fields ?? {}
    this.retryAfter = details.retryAfter
    this.requestId = details.requestId
  }
}

type ParamName<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never
type ParamsOf<E extends Endpoint> = [ParamName<E['path']>] extends [never] ? object : { params: Record<ParamName<E['path']>, string> }
type QueryOf<E extends Endpoint> = E extends { query: z.ZodType } ? { query?: z.input<E['query']> } : object
type BodyOf<E extends Endpoint> = E extends { body: z.ZodType }
  ? { body: z.input<E['body']> }
  : E extends { requestTypes: readonly string[] }
    ? { body: Blob }
    : object
type CallOptions<E extends Endpoint> = ParamsOf<E> &
  QueryOf<E> &
  BodyOf<E> &
  Pick<RawOptions, 'headers' | 'signal' | 'keepalive' | 'early' | 'retries'>
type Arguments<E extends Endpoint> = object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]

interface RawOptions {
  params?: Record<string, string | number>
  query?: unknown
  body?: unknown
  headers?: HeadersInit | undefined
  signal?: AbortSignal | undefined
  /** Continues after the page is left. */
  keepalive?: boolean | undefined
  /** The answer, where it has been asked for earlier. Resolves to something falsy if it was not given. */
  early?: Promise<unknown> | undefined
  /** How often a failed GET is retried, where the caller retries itself. */
  retries?: number | undefined
}

/** A failed fetch is retried up to 3 times, only where a repeat does no harm. */
const RETRIES = 3
/** The user is waiting, so these delays are shorter than the others. */
const QUICK = { first: 300, max: 1_200, jitter: 600 }

type SignedOutListener = (byAnother: boolean) => void
const signedOutListeners = new Set<SignedOutListener>()

/**
 * Calls the listener when the server no longer accepts the session, or when it belongs to another user. Returns a function that
 * unsubscribes.
 */
export function onSignedOut(listener: SignedOutListener): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

/** Reports that the server refused the session of this browser, or that it belongs to another user. */
export function notifySignedOut(byAnother: boolean): void {
  for (const listener of signedOutListeners) listener(byAnother)
}

/** User that calls are made for: the cookie may belong to another user who has signed in in another tab. */
let caller: string | null = null

export function callingAs(): string | null {
  return caller
}

/** Makes later calls for this user, or for no user: with the cookie of another user the server refuses them. */
export function callAs(userId: string | null): void {
  caller = userId
}

/** Increases when another user signs in or the user signs out. */
let generation = 0

let forgotten = Promise.withResolvers<void>()

/** Drops the responses of all calls under way: they belong to a user who is no longer signed in. */
export function forgetCalls(): void {
  generation++
  forgotten.resolve()
  forgotten = Promise.withResolvers()
}

/** Resolves when the work ends, or when its calls are forgotten: for work that others wait for. */
export function unlessSignedOut(work: Promise<void>): Promise<void> {
  return Promise.race([work, forgotten.promise])
}

/** Never resolves for a response that came after sign-out, so that it changes no lists, errors or session. */
function unlessForgotten(endpoint: Endpoint, begun: number): Promise<void> {
  return endpoint.public || begun === generation ? Promise.resolve() : new Promise(() => {})
}

/** Parses input as the server will. Throws the same error as the server, field by field. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= message
  throw new ApiError('invalid', Object.values(fields)[0] ?? t`Check what you wrote`, { status: 400, fields })
}

/**
 * Calls one endpoint of the contract. Throws ApiError, without a request if the server would refuse the body; an aborted signal throws its own
 * reason.
 */
export async function call<E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<z.output<E['response']>> {
  const { body: sent }: RawOptions = options ?? {}
  if (endpoint.body && sent !== undefined) checkInput(endpoint.body, sent)
  const begun = generation
  let body = options?.early && (await options.early)
  if (!body) {
    // Only a call that was asked for earlier has waited so far.
    if (options?.early) await unlessForgotten(endpoint, begun)
    body = await answerOf(endpoint, options ?? {}, begun)
  }
  await unlessForgotten(endpoint, begun)
  const parsed = endpoint.response.safeParse(body)
  if (!parsed.success) throw new ApiError('unreadable', t`The answer could not be read. Reload the page to get the newest version.`)
  // The endpoint's own schema has parsed it.
  return parsed.data as z.output<E['response']>
}

/** The body as JSON, or undefined if it is not. Throws ApiError unless the status is 2xx or 304. */
async function answerOf(endpoint: Endpoint, given: RawOptions, begun: number): Promise<unknown> {
  const options = guestLink && !endpoint.public ? ofGuest(endpoint, given, guestLink) : given
  const request = () => fetch(urlOf(endpoint.path, options), init(endpoint, options))
  const answer = attempt(request, endpoint.method === 'GET' ? (options.retries ?? RETRIES) : 0, options.signal)
  await answer.catch(() => undefined)
  await unlessForgotten(endpoint, begun)
  const response = await answer
  if (response.ok || response.status === 304) return response.json().catch(() => undefined)
  throw await failureOf(response, endpoint)
}

/** As a guest of a link nobody calls as the user who has signed in. */
function ofGuest({ guests }: Endpoint, options: RawOptions, link: string): RawOptions {
  if (!guests) throw new ApiError('forbidden', t`Guests of a link cannot do this.`, { status: 403 })
  return { ...options, query: { ...(options.query as object | undefined), link } }
}

export function urlOf(path: string, { params = {}, query }: Pick<RawOptions, 'params' | 'query'> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]])),
  ).toString()
  return search ? `${filled}?${search}` : filled
}

function init(endpoint: Endpoint, { body, headers, signal, keepalive }: RawOptions): RequestInit {
  const all = new Headers(headers)
  all.set('accept', 'application/json')
  if (caller !== null && !endpoint.public && !guestLink) all.set(CALLER_HEADER, caller)
  if (body !== undefined && !all.has('content-type')) all.set('content-type', body instanceof Blob ? body.type : 'application/json')
  return {
    method: endpoint.method,
    headers: all,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  }
}

async function attempt(request: () => Promise<Response>, left: number, signal?: AbortSignal, failures = 1): Promise<Response> {
  try {
    const response = await request()
    if (response.status !== 503 || left === 0) return response
  } catch (error) {
    if (signal?.aborted) throw error
    if (left === 0) throw new ApiError('offline', t`No connection. Check the network and try again.`)
  }
  await pause(backOff(failures, Math.random(), QUICK), signal)
  return attempt(request, left - 1, signal, failures + 1)
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

async function failureOf(response: Response, endpoint: Endpoint): Promise<ApiError> {
  if (response.status === 401 && !endpoint.public) notifySignedOut(response.headers.has(CALLER_HEADER))
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const requestId = response.headers.get('x-request-id') ?? undefined
  const failure = Failure.safeParse(await response.json().catch(() => undefined))
  if (!failure.success) return new ApiError(...fallback(response.status), { status: response.status, retryAfter, requestId })
  const { code, message, fields } = failure.data.error
  return new ApiError(code, message, { status: response.status, fields, retryAfter, requestId })
}

/** For a response that did not come from our worker, such as a proxy's own error page. */
function fallback(status: number): [ApiErrorCode, string] {
  if (status === 503 || status === 502 || status === 504)
    return ['unavailable', t`Cairn cannot be reached right now. Try again in a moment.`]
  if (status === 413) return ['too_large', t`This is too large to send.`]
  return ['internal', t`Something went wrong on the server. Try again.`]
}
