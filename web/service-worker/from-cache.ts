/** What is cached for a URL. Nothing where the browser cannot read its caches: then the network answers. */
export function fromCache(url: string, options: MultiCacheQueryOptions): Promise<Response | undefined> {
  return caches.match(url, options).catch(() => undefined)
}
