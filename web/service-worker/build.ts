/** Put in by the build (dev/service-worker/plugin.ts): which one it is, and the addresses of all files that the app needs without a connection. */
declare const CAIRN_BUILD: { id: string; files: string[] }

export const BUILD = CAIRN_BUILD

const PREFIX = 'cairn-build-'

export const BUILD_CACHE = PREFIX + BUILD.id

/** Any address of the app: all begin with the same page, but home and written pages, which the build has drawn. */
export const SHELL = '/collections'

/** Names, or what stands behind them, carry a hash of what is in them, so that one address never means two files. */
export const isHashed = (path: string) => path.startsWith('/assets/') || /\?[0-9a-f]{8}$/.test(path)

/** Caches of other builds, oldest first. */
export async function otherBuilds(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== BUILD_CACHE)
}
