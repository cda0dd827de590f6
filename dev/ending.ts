const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A second Ctrl-C counts after this time; npm and the terminal may both deliver the first one. */
const SECOND_PRESS_MS = 750

/**
 * Resolves with the reason when this process should end: a signal, a closed terminal, or the end of the parent process. A second signal
 * exits at once.
 */
export function onStopRequest(): { requested: Promise<string>; request: (reason: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  let since: number | undefined
  const request = (reason: string) => {
    since ??= Date.now()
    resolve(reason)
  }
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // The database's own watcher shuts it down after this process ends, so exiting here loses nothing.
      if (since !== undefined && Date.now() - since > SECOND_PRESS_MS) process.exit(130)
      request('')
    })
  }
  if (process.channel) {
    process.once('disconnect', () => request(''))
    // This listener alone must not keep the process alive.
    process.channel.unref()
  }
  // A closed terminal refuses output; that must not interrupt the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return { requested: promise, request }
}

/**
 * Runs library code that installs signal handlers which exit at once, and removes those handlers: the order of shutdown is controlled here.
 */
export async function withoutSignalHandlers<T>(work: () => Promise<T>): Promise<T> {
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
