import { joinBytes } from '../../contract/bytes.ts'
import { LIMITS } from '../../contract/limits.ts'
import { AppError } from './errors.ts'

/** More than any body that we ask for. Whoever declares or sends more loses the connection. */
const MAX_BYTES = LIMITS.partSize + LIMITS.jsonBody
/** How long we wait for the next bytes, and for all of them, in milliseconds. */
const TIMEOUT = { next: 10_000, whole: 60_000 }

/**
 * Reads a body of at most `limit` bytes: 413 for more, 400 for one that does not arrive. What is too large is still taken, within
 * reason and without keeping it: a connection that is closed under the client's hands looks like a broken network, and our words are lost.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError('too_large', `The body may have at most ${limit} bytes`)
  const declared = declaredSize(request)
  if (declared > MAX_BYTES) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw tooLarge()
    if (size <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > limit) throw tooLarge()
  return joinBytes(chunks)
}

/** Takes what nobody has read of a body, so that the client reads the answer. */
export async function drain(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || declaredSize(request) > MAX_BYTES) return
  let size = 0
  try {
    for await (const chunk of chunksOf(request)) {
      size += chunk.byteLength
      if (size > MAX_BYTES) return
    }
  } catch {
    // Whoever stops sending does not read either.
  }
}

function declaredSize(request: Request): number {
  return Number(request.headers.get('content-length') ?? 0)
}

/** Throws `invalid` where the client keeps us waiting. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const end = Date.now() + TIMEOUT.whole
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), Math.min(TIMEOUT.next, end - Date.now()))
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new AppError('invalid', 'The body did not arrive. Send it again')), Math.max(0, milliseconds))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
