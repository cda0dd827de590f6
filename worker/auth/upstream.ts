import { unavailable } from '../http/errors.ts'

/** One try, in milliseconds. */
const TIMEOUT = 5_000
/** Waits before each further try of a call that may be repeated, in milliseconds (spec §9: up to 3). */
const RETRY_DELAYS = [100, 300, 900]

export interface UpstreamCall {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: unknown
  /** Whether the call may be sent again without harm. */
  idempotent?: boolean
}

export interface UpstreamAnswer {
  status: number
  /** Parsed JSON, or null. */
  body: unknown
  setCookies: string[]
}

/** Calls the sign-in service. No answer in time, 429 and 5xx become AppError `unavailable`; anything else is its answer. */
export async function callUpstream(url: string, call: UpstreamCall): Promise<UpstreamAnswer> {
  const { method, headers, body, idempotent } = call
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body !== undefined && { body: JSON.stringify(body) }) }
  const read = async () => {
    const response = await answered(await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) }))
    const text = await response.text()
    return { status: response.status, body: parseJson(text), setCookies: response.headers.getSetCookie() }
  }
  try {
    return await (idempotent ? retrying(read) : read())
  } catch (error) {
    throw unavailable('The sign-in service', error)
  }
}

type Init = Omit<RequestInit, 'body'> & { body?: BodyInit | null | undefined }

/** `fetch` for a call that must not be repeated. 429 and 5xx are no answers. */
export async function fetchOnce(url: string, init: Init): Promise<Response> {
  return answered(await fetch(url, { ...init, body: init.body ?? null }))
}

/** `fetch` for a call that may be repeated. Tries end with the caller's signal. */
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
      // A service that hangs is not asked again: nobody waits for four timeouts.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
