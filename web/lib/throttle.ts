interface Pace {
  /** Milliseconds to collect requests before a run. */
  delay: number
  /** Minimum milliseconds from one start to the next. */
  gap: number
}

/**
 * Runs the work soon after a request, never twice at once and at most once every `gap`. All requests during a run lead to one more. The
 * work must not throw.
 */
export function throttle(work: () => Promise<unknown>, { delay, gap }: Pace) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let running = false
  let again = false
  let nextAt = 0
  let generation = 0

  async function run() {
    const begun = generation
    timer = null
    running = true
    nextAt = performance.now() + gap
    await work().finally(() => {
      if (begun === generation) running = false
    })
    if (begun !== generation || !again) return
    again = false
    ask()
  }
  function ask() {
    if (running) again = true
    else timer ??= setTimeout(() => void run(), Math.max(delay, nextAt - performance.now()))
  }
  return {
    ask,
    /** Also forgets a run under way: calls of a user who has signed out never settle (lib/api.ts). */
    cancel() {
      if (timer) clearTimeout(timer)
      timer = null
      again = false
      running = false
      generation++
    },
  }
}
