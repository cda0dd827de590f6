/**
 * Set by the build (dev/service-worker/plugin.ts): its id, the URLs of all files that the app needs without a connection, and those of the sentences
 * of each language but English.
 */
declare const CAIRN_BUILD: { id: string; files: string[]; languages: Record<string, string> }

export const BUILD = CAIRN_BUILD

const PREFIX = 'cairn-build-'

export const BUILD_CACHE = PREFIX + BUILD.id

/** Any URL of the app: all share the same page, except home and written pages, which the build has rendered. */
export const SHELL = '/collections'

/** The name or the query contains a hash of the content, so one URL never means two files. */
export const isHashed = (path: string) => path.startsWith('/assets/') || /\?[0-9a-f]{8}$/.test(path)

/** Caches of other builds, oldest first. */
export async function otherBuilds(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== BUILD_CACHE)
}
