/** Cache of content shared with the app until the user chooses a collection. web/service-worker/share.ts fills it. */
export const SHARED_CACHE = 'cairn-shared'

/** Path of the shared text, as JSON. */
export const WORDS_PATH = '/shared/words'

/** Each file has a number; its name is in this header, encoded. */
export const filePath = (n: number) => `/shared/files/${n}`
export const NAME_HEADER = 'x-name'

/** Text shared by other apps, with the names of `share_target` in the manifest. */
export interface SharedWords {
  title: string
  text: string
  url: string
  /** Number of files that this device had no room for. */
  missing?: number
  /** Time of arrival, in milliseconds since 1970. */
  at?: number
}

/** Milliseconds. Any site can send something here, so what nobody adds to a collection is removed when the app is opened next. */
export const SHARED_FOR = 10 * 60_000

/** For sign-out: the next user of this device must not find it. */
export async function forgetShared(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(SHARED_CACHE).catch(() => false)
}
