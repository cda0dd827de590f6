declare global {
  /** By path, responses that the head script asked for before the app's code was there. */
  var prefetchedResponses: Record<string, Promise<Response>> | undefined
}

/** Asks the server for what every page begins with; the app takes the response when it gets there. */
export function prefetch(path: string): void {
  const response = fetch(path, { headers: { accept: 'application/json' } })
  // A failure is the app's to handle, if it takes the response at all.
  response.catch(() => undefined)
  globalThis.prefetchedResponses ??= {}
  globalThis.prefetchedResponses[path] = response
}

/** The response that is on its way already, for the first caller. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const response = globalThis.prefetchedResponses?.[path]
  delete globalThis.prefetchedResponses?.[path]
  return response
}

/** Another user may be signed in from now on. */
export function dropPrefetched(): void {
  globalThis.prefetchedResponses = {}
}
