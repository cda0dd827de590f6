import { msg } from '#say'
import { whenPhotosShown } from './first-render.ts'
import { whenIdle } from './scheduling.ts'

/** Browsers' messages when a module of the app cannot be fetched: no connection, or a newer version has replaced it. */
const WORDS = /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload/i

export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && WORDS.test(error.message)
}

export const LOAD_FAILURE = msg`This part of Cairn could not be loaded. Check the connection; if there is a newer version, reload the page.`

/**
 * Result of `load`. A module that fails to load offline is loaded again once there is a connection. Online it is retried once: the
 * connection may have come back between the failure and this check.
 */
export async function loadWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (let again = false; ; again = true) {
    try {
      return await load()
    } catch (error) {
      if (!isLoadFailure(error) || (navigator.onLine && again)) throw error
      if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    }
  }
}

/** Loads a module when the page is idle after its photos are shown, so that it is available offline. */
export function fetchAhead(load: () => Promise<unknown>, after: () => Promise<void> = whenPhotosShown): void {
  const run = () => void load().catch(() => undefined)
  void after().then(() => whenIdle(run))
}
