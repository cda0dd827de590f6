import { sleep } from './scheduling.ts'

/**
 * Runs `run` in one tab at a time; the other tabs wait. Aborting the signal stops waiting for the lock. Without Web Locks every tab runs
 * at once.
 */
export async function withLock(name: string, run: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  if (!navigator.locks) return run()
  let granted = false
  const running = navigator.locks.request(name, signal ? { signal } : {}, () => {
    granted = true
    return run()
  })
  await running.catch((error: unknown) => {
    if (granted || !signal?.aborted) throw error
  })
}

/** Milliseconds between two questions of a waiting tab that the user looks at, and those that the tab with the lock has for an answer. */
const ASK_EVERY = 10_000
const ANSWER_WITHIN = 5_000

export interface Holder {
  /** This tab has the lock. */
  granted: () => Promise<void> | void
  /** Another tab has taken it over, because this one was suspended. */
  lost: () => void
}

/**
 * Holds a lock until the signal aborts, in one tab at a time. A tab that is suspended, as phones do with those in the background, keeps its locks: one that
 * the user looks at takes over the lock of a tab that does not answer. Without Web Locks every tab is granted it at once.
 */
export async function holdLock(name: string, signal: AbortSignal, { granted, lost }: Holder): Promise<void> {
  if (!navigator.locks) return void (await granted())
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const channel = new BroadcastChannel(`${name} lock`)
  let [holds, answered, steal] = [false, false, false]
  channel.onmessage = ({ data }) => {
    if (data === 'here') answered = true
    else if (holds) channel.postMessage('here')
  }
  /** Resolves if no tab answers. */
  const silence = async (given: () => boolean) => {
    while (!given()) {
      await sleep(ASK_EVERY)
      if (given() || document.visibilityState !== 'visible') continue
      answered = false
      channel.postMessage('ask')
      await sleep(ANSWER_WITHIN)
      if (!answered) return
    }
  }
  const hold = async () => {
    holds = true
    if (!signal.aborted) await granted()
    await aborted
  }
  while (!signal.aborted) {
    const giveUp = new AbortController()
    void silence(() => holds || signal.aborted).then(() => giveUp.abort())
    const options = steal ? { steal } : { signal: AbortSignal.any([signal, giveUp.signal]) }
    const robbed = await navigator.locks.request(name, options, hold).then(() => false, isAbort)
    steal = robbed && !holds
    if (holds && robbed && !signal.aborted) lost()
    holds = false
    if (!robbed) break
  }
  channel.close()
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
