import { t } from '#say'
import { ApiError } from './api.ts'
import { messageOf } from './message-of.ts'

/**
 * A failed action. `message` is a sentence for the user, `detail` the reason unless the message ends with it, `fields` the messages beside
 * the inputs. An unreadable response gives no reason at the end of a message.
 */
export class ActionError extends Error {
  override name = 'ActionError'
  readonly detail: string
  readonly fields: Record<string, string>

  constructor(sentence: string, cause: unknown, reasonAtEnd = false) {
    const reason = messageOf(cause)
    const readable = !(cause instanceof ApiError && cause.code === 'unreadable')
    super(reasonAtEnd && readable ? t`${sentence}: ${reason}` : sentence, { cause })
    this.detail = reasonAtEnd ? '' : reason
    this.fields = cause instanceof ApiError ? cause.fields : {}
  }
}

/** Throws ActionError. `reasonAtEnd`: the reason follows the sentence in the message. */
export function named<T>(sentence: string, work: Promise<T>, reasonAtEnd = false): Promise<T> {
  return work.catch((cause: unknown) => {
    throw new ActionError(sentence, cause, reasonAtEnd)
  })
}
