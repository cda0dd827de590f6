import { t } from '#say'
import { joinBytes } from '../../contract/bytes.ts'
import { LIMITS } from '../../contract/limits.ts'
import { withinTime } from '../within-time.ts'
import { AppError } from './errors.ts'

/** A form with a file: one part, two renditions and JSON. */
export const MAX_FORM = LIMITS.partSize + 2 * LIMITS.renditionSize + LIMITS.jsonBody
/** More than any call accepts. A client that declares or sends more loses the connection. */
const MAX_BYTES = MAX_FORM + LIMITS.jsonBody
/** Milliseconds to wait for the next bytes, and for the whole body. */
interface Timeout {
  next: number
  whole: number
}
const TIMEOUT: Timeout = { next: 10_000, whole: 60_000 }
/** For a file over a slow connection. */
export const SLOW_TIMEOUT: Timeout = { next: 60_000, whole: 600_000 }

/**
 * Reads a body of at most `limit` bytes. Throws 413 for more, 400 after a timeout. A body that is too large is still read, up to `dropped` bytes,
 * and dropped: if the connection closes while the client sends, it reports a network error instead of our response.
 */
export async function readBytes(request: Request, limit: number, timeout = TIMEOUT, dropped = MAX_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError('too_large', t`The body may have at most ${{ limit: String(limit) }} bytes`)
  const declared = declaredSize(request)
  if (declared > dropped) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request, timeout)) {
    size += chunk.byteLength
    if (size > dropped) throw tooLarge()
    if (size <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > limit) throw tooLarge()
  return joinBytes(chunks)
}

/** Reads and drops the rest of a body, so that the client reads the response. */
export async function drain(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || declaredSize(request) > MAX_BYTES) return
  let size = 0
  try {
    for await (const chunk of chunksOf(request)) {
      size += chunk.byteLength
      if (size > MAX_BYTES) return
    }
  } catch {
    // A client that stops sending does not read the response either.
  }
}

function declaredSize(request: Request): number {
  return Number(request.headers.get('content-length') ?? 0)
}

/** Throws `invalid` after a timeout. */
async function* chunksOf(request: Request, timeout = TIMEOUT): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const end = Date.now() + timeout.whole
  const late = () => new AppError('invalid', t`The body did not arrive. Send it again`)
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), Math.min(timeout.next, end - Date.now()), late)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
