import { ApiError } from './api.ts'
import { messageOf } from './message-of.ts'

/** Marks a sentence that contains its own reason. */
const REASON = ': {error}'

/**
 * A failed action. `message` is a sentence for the user, `detail` the reason unless the sentence contains it, `fields` the messages beside
 * the inputs. An unreadable response gives no reason.
 */
export class ActionError extends Error {
  override name = 'ActionError'
  readonly detail: string
  readonly fields: Record<string, string>

  constructor(sentence: string, cause: unknown) {
    const reason = messageOf(cause)
    const hasReason = !(cause instanceof ApiError && cause.code === 'unreadable')
    super(
      sentence.replace(REASON, () => (hasReason ? `: ${reason}` : '')),
      { cause },
    )
    this.detail = sentence.endsWith(REASON) ? '' : reason
    this.fields = cause instanceof ApiError ? cause.fields : {}
  }
}

export function named<T>(sentence: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new ActionError(sentence, cause)
  })
}
