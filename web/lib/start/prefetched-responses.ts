declare global {
  /** By path, responses that the head script requested before the app's code was loaded. */
  var prefetchedResponses: Record<string, Promise<Response>> | undefined
}

/** Requests data that every page needs first; the app takes the response once it runs. */
export function prefetch(path: string): void {
  const response = fetch(path, { headers: { accept: 'application/json' } })
  // The app handles a failure, if it takes the response at all.
  response.catch(() => undefined)
  globalThis.prefetchedResponses ??= {}
  globalThis.prefetchedResponses[path] = response
}

/** The response of a prefetch, for the first caller only. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const response = globalThis.prefetchedResponses?.[path]
  delete globalThis.prefetchedResponses?.[path]
  return response
}

/** Call when another user may be signed in. */
export function dropPrefetched(): void {
  globalThis.prefetchedResponses = {}
}
