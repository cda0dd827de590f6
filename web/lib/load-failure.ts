import { whenFirstRender } from './first-render.ts'
import { whenIdle } from './scheduling.ts'

/** How the browsers word it when a part of the app cannot be fetched: no connection, or a newer version took its place. */
const WORDS = /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload/i

export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && WORDS.test(error.message)
}

export const LOAD_FAILURE = 'This part of Cairn could not be loaded. Check the connection; if there is a newer version, reload the page.'

/**
 * What `load` gives; a part that fails for want of a connection is asked for again when there is one. With one, once more: it may have come
 * back between the failure and hearing of it.
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

/**
 * Fetches a part in a quiet moment once there is something to look at, so that it is there when the connection is not. What belongs to another
 * page waits for the photos of this one (`after: whenPhotosLoaded`).
 */
export function fetchAhead(load: () => Promise<unknown>, after: () => Promise<void> = whenFirstRender): void {
  const run = () => void load().catch(() => undefined)
  void after().then(() => whenIdle(run))
}
