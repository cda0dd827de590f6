declare global {
  /** What was pressed, in its order, before the app's own code was there to hear it; public/first-paint.js fills it. */
  var earlyKeys: KeyboardEvent[] | undefined
}

/** The keys pressed so far, for whoever hears all others from now on. */
export function takeEarlyKeys(): KeyboardEvent[] {
  const keys = globalThis.earlyKeys ?? []
  globalThis.earlyKeys = undefined
  return keys
}
