/** Bytes that the browser lets the site store; Infinity if it does not say. */
export async function freeRoom(): Promise<number> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  return quota === undefined ? Number.POSITIVE_INFINITY : quota - usage
}
