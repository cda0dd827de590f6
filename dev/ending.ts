const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A second Ctrl-C counts from here on; npm and the terminal may both deliver the first one. */
const SECOND_PRESS_MS = 750

/**
 * Resolves with the reason once somebody or something wants this process to end: a signal, a closed
 * terminal, the end of the process that started us. A second signal leaves at once.
 */
export function whenAskedToEnd(): { asked: Promise<string>; ask: (reason: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  let since: number | undefined
  const ask = (reason: string) => {
    since ??= Date.now()
    resolve(reason)
  }
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // The database's own watcher shuts it down when we are gone, so that leaving like this loses nothing.
      if (since !== undefined && Date.now() - since > SECOND_PRESS_MS) process.exit(130)
      ask('')
    })
  }
  if (process.channel) {
    process.once('disconnect', () => ask(''))
    // Listening alone must not keep this process alive.
    process.channel.unref()
  }
  // A closed terminal refuses our last words; that must not stop the ending.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return { asked: promise, ask }
}

/**
 * Runs work of a library that would answer signals itself, by leaving at once, and takes those answers
 * away again: the order in which parts end is ours to keep.
 */
export async function keepingSignals<T>(work: () => Promise<T>): Promise<T> {
  const before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]))
  try {
    return await work()
  } finally {
    for (const [signal, known] of before) {
      for (const listener of process.listeners(signal)) {
        if (!known.includes(listener)) process.off(signal, listener)
      }
    }
  }
}
