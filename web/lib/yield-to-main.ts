/** Lets the page draw and listen before work goes on. */
export function breathe(): Promise<void> {
  // Safari has none.
  if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve))
}
