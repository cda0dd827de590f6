/** The cached answer for a URL. Undefined if the browser cannot read its caches, so that the network answers instead. */
export function fromCache(url: string, options: MultiCacheQueryOptions): Promise<Response | undefined> {
  return caches.match(url, options).catch(() => undefined)
}
