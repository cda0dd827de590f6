/** Where what was shared with the app waits until somebody says where it goes (web/service-worker/share.ts puts it there). */
export const SHARED_CACHE = 'cairn-shared'

/** The words, as JSON. */
export const WORDS_PATH = '/shared/words'

/** Each file has a number; its name is in this header, encoded. */
export const filePath = (n: number) => `/shared/files/${n}`
export const NAME_HEADER = 'x-name'

/** What other apps give: the names are those of the manifest's `share_target`. */
export interface SharedWords {
  title: string
  text: string
  url: string
  /** Files that this device had no room for. */
  missing?: number
}

/** Somebody signs out: the next person at this device finds nothing of it. */
export async function forgetShared(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(SHARED_CACHE).catch(() => false)
}
