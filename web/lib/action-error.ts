import { ApiError } from './api.ts'
import { messageOf } from './message-of.ts'

/** Where the sentence itself says why. */
const REASON = ': {error}'

/**
 * A failed action: `message` is its sentence of spec §8, `detail` says why unless the sentence does, `fields` belongs beside the inputs.
 * An answer without success gives no reason.
 */
export class ActionError extends Error {
  override name = 'ActionError'
  readonly detail: string
  readonly fields: Record<string, string>

  constructor(sentence: string, cause: unknown) {
    const reason = messageOf(cause)
    const given = !(cause instanceof ApiError && cause.code === 'unreadable')
    super(
      sentence.replace(REASON, () => (given ? `: ${reason}` : '')),
      { cause },
    )
    this.detail = sentence.endsWith(REASON) ? '' : reason
    this.fields = cause instanceof ApiError ? cause.fields : {}
  }
}

/** Lets a failure be known by the name of the action. */
export function named<T>(sentence: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new ActionError(sentence, cause)
  })
}
