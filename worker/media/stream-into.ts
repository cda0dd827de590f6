import { AppError } from '../http/errors.ts'

/** Bytes of a length that is known before the first arrives, as object storage wants them. */
export interface Body {
  stream: ReadableStream<Uint8Array>
  length: number
}

/** Object storage that takes no byte for so long has failed, whatever it says later. Milliseconds. */
const STALLED = 10_000

/**
 * Hands a body to object storage as it arrives, so that it never lies in memory as a whole. The sender may be slow; storage may not:
 * a call that failed on the other side has been seen to wait for ever for bytes that nobody takes any more.
 */
export async function streamInto<T>({ stream, length }: Body, store: (body: ReadableStream) => Promise<T>): Promise<T> {
  const fixed = new FixedLengthStream(length)
  const stored = store(fixed.readable)
  const fed = feed(stream, fixed.writable).then(() => withinTime(stored))
  const [result] = await Promise.all([stored, fed])
  return result
}

async function feed(source: ReadableStream<Uint8Array>, target: WritableStream<Uint8Array>): Promise<void> {
  const writer = target.getWriter()
  try {
    for await (const chunk of arriving(source)) await withinTime(writer.write(chunk))
    await withinTime(writer.close())
  } catch (error) {
    // Storage must not take what came so far for the whole.
    writer.abort(error).catch(() => {})
    throw error
  }
}

async function* arriving(source: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw new AppError('invalid', 'The part broke off before its end. Send it again', { cause })
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const stall = Promise.withResolvers<never>()
  const timer = setTimeout(() => stall.reject(new Error(`Object storage took nothing for ${STALLED} ms`)), STALLED)
  try {
    return await Promise.race([work, stall.promise])
  } finally {
    clearTimeout(timer)
  }
}
