import { t } from '#say'
import { type Moment, nextAttempt } from '../back-off.ts'
import type { UploadItem } from './types.ts'

/** Attempts at a file that fails on the server before the user is asked. */
const MAX_ATTEMPTS = 6

/** A failed call. `retryAfter` in seconds. */
export interface UploadFailure {
  code: string
  message: string
  retryAfter: number | null
}

/** The item in the state where it continues: a prepared file is not prepared again. */
export function continued(item: UploadItem): UploadItem {
  return { ...item, state: item.meta ? 'ready' : 'waiting', retryAt: null, message: null, code: null, sent: item.begun ? item.sent : 0 }
}

/** The item after a reload. Paused and failed items stay as they are, except after an expired session, which has been renewed by now. */
export function restored(item: UploadItem): UploadItem {
  if (item.state === 'done') return item
  if (item.state === 'paused') return item
  if (item.state === 'failed' && item.code !== 'unauthenticated') return item
  return { ...continued(item), attempts: 0 }
}

/** Failures that say nothing about the file. They are retried for ever. */
export function isOutage({ code }: UploadFailure): boolean {
  return code === 'offline' || code === 'rate_limited' || code === 'unavailable'
}

/** The fields of an item after this many failed attempts. */
export function afterFailure(attempts: number, failure: UploadFailure, moment: Moment) {
  const { code } = failure
  const again = isOutage(failure) || (['internal', 'unloaded'].includes(code) && attempts < MAX_ATTEMPTS)
  if (!again) return { state: 'failed' as const, attempts, retryAt: null, message: permanentMessage(failure), code }
  return {
    state: 'retrying' as const,
    attempts,
    retryAt: nextAttempt(attempts, moment, failure.retryAfter),
    message: transientMessage(failure),
    code,
  }
}

/** In seconds. For a longer pause the row gives the server's reason. */
const SHORT_PAUSE = 60

function transientMessage({ code, message, retryAfter }: UploadFailure): string {
  if (code === 'offline') return t`Waiting for the connection`
  if (code === 'rate_limited')
    return retryAfter !== null && retryAfter > SHORT_PAUSE
      ? t`${firstSentence(message)}. It continues by itself`
      : t`The server asks for a pause`
  if (code === 'unloaded') return t`Loading what reads it; trying again`
  return t`The server is busy; trying again`
}

/** There is little room in a row. */
const firstSentence = (message: string) => message.split('. ', 1)[0] ?? message

function permanentMessage({ code, message }: UploadFailure): string {
  switch (code) {
    case 'quota_exceeded':
      return t`${firstSentence(message)}. See Storage in the settings.`
    case 'unauthenticated':
      return t`You were signed out. It continues when you sign in again.`
    case 'forbidden':
      return t`You may not add to this collection any more. The file is still here.`
    case 'not_found':
      return t`This collection is gone, or you are no longer a member. The file is still here.`
    case 'internal':
      return t`The server did not answer. Try again later.`
    default:
      return message || t`It could not be added`
  }
}
