import { t } from '#say'
import { unavailable } from '../http/errors.ts'
import { jsonOrNull } from '../http/read-json.ts'

/** Per attempt, in milliseconds. */
const TIMEOUT = 5_000
/** Milliseconds before each retry of a call that may be repeated (up to 3). */
const RETRY_DELAYS = [100, 300, 900]

export interface UpstreamCall {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: unknown
  /** May be retried. */
  idempotent?: boolean
}

export interface UpstreamAnswer {
  status: number
  /** Parsed JSON, or null. */
  body: unknown
  setCookies: string[]
}

export const signInUnavailable = (cause?: unknown) =>
  unavailable(t`The sign-in service does not answer just now. Try again in a moment`, cause)

/** Calls the sign-in service. Throws AppError `unavailable` after a timeout, for 429 and for 5xx. */
export async function callUpstream(url: string, call: UpstreamCall): Promise<UpstreamAnswer> {
  const { method, headers, body, idempotent } = call
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body !== undefined && { body: JSON.stringify(body) }) }
  const read = async () => {
    const response = await answered(await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) }))
    const text = await response.text()
    return { status: response.status, body: jsonOrNull(text), setCookies: response.headers.getSetCookie() }
  }
  try {
    return await (idempotent ? retrying(read) : read())
  } catch (error) {
    throw signInUnavailable(error)
  }
}

type Init = Omit<RequestInit, 'body'> & { body?: BodyInit | null | undefined }

/** `fetch` for a call that must not be repeated. Throws for 429 and 5xx. */
export async function fetchOnce(url: string, init: Init): Promise<Response> {
  return answered(await fetch(url, { ...init, body: init.body ?? null }))
}

/** `fetch` for a call that may be repeated. The caller's signal ends all attempts. */
export function fetchRetrying(url: string, init: Init): Promise<Response> {
  return retrying(() => fetchOnce(url, init))
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  const start = Date.now()
  for (let retries = 0; ; retries++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = RETRY_DELAYS[retries]
      // No retry after a timeout: the user would wait for four of them.
      if (wait === undefined || Date.now() - start + wait >= TIMEOUT) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

async function answered(response: Response): Promise<Response> {
  if (response.status !== 429 && response.status < 500) return response
  await response.body?.cancel()
  throw new Error(`The sign-in service answered ${response.status}`)
}
