interface Pace {
  /** Milliseconds to collect what comes together. */
  delay: number
  /** Milliseconds from one start to the next, at least. */
  gap: number
}

/**
 * Does something soon after it is asked for, never twice at once and never more often than every `gap`. However often it is asked
 * for meanwhile, that is one more time. The work must not throw.
 */
export function paced(work: () => Promise<unknown>, { delay, gap }: Pace) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let running = false
  let again = false
  let nextAt = 0
  let era = 0

  async function run() {
    const begun = era
    timer = null
    running = true
    nextAt = Date.now() + gap
    await work().finally(() => {
      if (begun === era) running = false
    })
    if (begun !== era || !again) return
    again = false
    ask()
  }
  function ask() {
    if (running) again = true
    else timer ??= setTimeout(() => void run(), Math.max(delay, nextAt - Date.now()))
  }
  return {
    ask,
    /** Also forgets work that is under way: what somebody asked who has signed out never ends (lib/api.ts). */
    cancel() {
      if (timer) clearTimeout(timer)
      timer = null
      again = false
      running = false
      era++
    },
  }
}
