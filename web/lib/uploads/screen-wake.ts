/** Keeps the screen of a phone awake while it is `wanted`: uploads stop when the device sleeps. Nothing happens where browsers do not know how. */
export function createScreenWake(signal: AbortSignal): (wanted: boolean) => void {
  let wanted = false
  let lock: Promise<WakeLockSentinel | null> | null = null

  function release(): void {
    void lock?.then((held) => held?.release()).catch(() => {})
    lock = null
  }

  function update(): void {
    if (!wanted || document.visibilityState !== 'visible') release()
    // Refused at a low battery, say.
    else lock ??= navigator.wakeLock?.request('screen').catch(() => null) ?? null
  }

  // A hidden page loses the lock.
  document.addEventListener('visibilitychange', update, { signal })
  signal.addEventListener('abort', release)
  return (next) => {
    wanted = next
    update()
  }
}
