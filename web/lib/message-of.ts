import { t } from '#say'
import { ApiError, type ApiErrorCode } from './api.ts'

/** Message to show for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : t`Something went wrong. Try again.`
}

/** Why something failed: the code decides what is shown beside the message. */
export interface ShownFailure {
  code: ApiErrorCode
  message: string
}

export function failureFrom(error: unknown): ShownFailure {
  return { code: error instanceof ApiError ? error.code : 'internal', message: messageOf(error) }
}
