import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './setup-error.ts'

/** Milliseconds before each new start. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000]
/** Milliseconds. A part that ran this long has recovered, and the count begins anew. */
const RECOVERED = 60_000

export interface KeepOptions {
  /** As in "the database ended by itself". */
  part: string
  /** Starts the part again. */
  start: () => Promise<unknown>
  log: (line: string) => void
  /** Called instead of another start, after as many in a row as there are pauses. */
  giveUp: (reason: string) => void
  pauses?: readonly number[]
}

export interface Keeper {
  /** To be called when the part ended although it should run. */
  ended(reason: string): void
  /** Starts nothing any more. Waits for a start that is under way. */
  stop(): Promise<void>
}

/** Starts a part again when it ends by itself, with growing pauses, and gives up when it cannot stay. */
export function keepRunning({ part, start, log, giveUp, pauses = PAUSES }: KeepOptions): Keeper {
  const stopped = new AbortController()
  let inARow = 0
  let startedAt = performance.now()
  let working = Promise.resolve()

  async function startAgain(first: string): Promise<void> {
    let reason = first
    while (!stopped.signal.aborted) {
      if (performance.now() - startedAt > RECOVERED) inARow = 0
      const pause = pauses[inARow++]
      if (pause === undefined)
        return giveUp(`the ${part} ended by itself and was started again ${pauses.length} times in a row (${reason})`)
      log(`The ${part} ended by itself (${reason}). It is started again${pause > 0 ? ` in ${pause / 1000} s` : ''}.`)
      try {
        await sleep(pause, undefined, { signal: stopped.signal })
        await start()
        startedAt = performance.now()
        return log(`The ${part} runs again.`)
      } catch (error) {
        reason = messageOf(error)
      }
    }
  }

  return {
    ended(reason) {
      working = working.then(() => startAgain(reason))
    },
    async stop() {
      stopped.abort()
      await working
    },
  }
}
