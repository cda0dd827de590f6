import { t } from '#say'
import { AppError } from '../http/errors.ts'
import { withinTime } from '../within-time.ts'

/** A stream of known length, which object storage requires. */
export interface Body {
  stream: ReadableStream<Uint8Array>
  length: number
}

/** Milliseconds without progress after which object storage counts as failed. */
const STALLED = 10_000

/**
 * Streams a body into object storage, so that it is never in memory as a whole. The sender may be slow, but storage gets a timeout: failed
 * calls have been seen to hang for ever because storage no longer reads the stream.
 */
export async function streamInto<T>({ stream, length }: Body, store: (body: ReadableStream) => Promise<T>): Promise<T> {
  const fixed = new FixedLengthStream(length)
  const stored = store(fixed.readable)
  const fed = feed(stream, fixed.writable).then(() => inTime(stored))
  const [result] = await Promise.all([stored, fed])
  return result
}

const inTime = <T>(work: Promise<T>) => withinTime(work, STALLED, () => new Error(`Object storage took nothing for ${STALLED} ms`))

async function feed(source: ReadableStream<Uint8Array>, target: WritableStream<Uint8Array>): Promise<void> {
  const writer = target.getWriter()
  try {
    for await (const chunk of chunksOf(source)) await inTime(writer.write(chunk))
    await inTime(writer.close())
  } catch (error) {
    // Storage must not store a partial body.
    writer.abort(error).catch(() => {})
    throw error
  }
}

async function* chunksOf(source: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (cause) {
    throw new AppError('invalid', t`The part broke off before its end. Send it again`, { cause })
  }
}
