import { t } from '#say'
import type { Moment } from '../back-off.ts'
import { isActive, isFilmDue, isFilming } from './items.ts'
import { afterFailure, isOutage, type UploadFailure } from './retries.ts'
import type { FilmVersion, UploadItem } from './types.ts'

/** How often making one film begins by itself: it may be what ends the page. */
const MAX_STARTS = 3

/** Milliseconds until it is tried again by somebody who is signed out. */
const SIGNED_OUT = 60_000

/** Milliseconds between two looks at whether the connection is still metered. */
const METERED = 60_000

export const NEW_FILM: FilmVersion = { state: 'waiting', share: 0, starts: 0, attempts: 0, retryAt: null, message: null, made: null }

/** After a reload: what was under way begins again, and what was made is only sent. */
export function restoredFilm(film: FilmVersion): FilmVersion {
  return film.state === 'failed' ? film : { ...film, state: 'waiting', share: 0, retryAt: null }
}

/** The user tries again. */
export function retriedFilm(film: FilmVersion): FilmVersion {
  return { ...NEW_FILM, made: film.made }
}

/** After a failure of making or sending it. Its parts are sent again if others came in between. */
export function failedFilm(film: FilmVersion, failure: UploadFailure, moment: Moment): FilmVersion {
  // It goes on once the user has signed in again.
  if (failure.code === 'unauthenticated') return { ...film, state: 'waiting', share: 0, retryAt: moment.now + SIGNED_OUT, message: null }
  const again = failure.code === 'conflict' || failure.code === 'invalid'
  const after = afterFailure(film.attempts + 1, again ? { ...failure, code: 'internal' } : failure, moment)
  const message = isOutage(failure) ? null : after.message
  if (after.state === 'failed') return { ...film, state: 'failed', share: 0, message, retryAt: null }
  // The page has survived it.
  return { ...film, state: 'waiting', share: 0, starts: 0, attempts: after.attempts, retryAt: after.retryAt, message: null }
}

/** On a metered connection: it is looked at again every minute. */
export function meteredFilm(film: FilmVersion, now: number): FilmVersion {
  const message = t`A version that plays everywhere will be sent once the connection is not metered`
  return { ...film, state: 'waiting', share: 0, retryAt: now + METERED, message }
}

/** What may begin: no film is under way, and no file is to be read or sent, also none that was paused. `isOwn`: those of this tab. */
export function nextFilm(items: readonly UploadItem[], isOwn: (item: UploadItem) => boolean, now: number): UploadItem | undefined {
  if (items.some((item) => isActive(item) || item.state === 'paused' || isFilming(item))) return undefined
  return items.find((item) => isFilmDue(item) && isOwn(item) && (item.film?.retryAt ?? 0) <= now)
}

/** Its film as it begins to be made or sent. */
export function begunFilm(film: FilmVersion): FilmVersion {
  if (film.made) return { ...film, state: 'sending', share: 0, retryAt: null, message: null }
  if (film.starts < MAX_STARTS) return { ...film, state: 'making', share: 0, starts: film.starts + 1, retryAt: null }
  return { ...film, state: 'failed', share: 0, message: t`Making a version that plays everywhere was interrupted several times` }
}
