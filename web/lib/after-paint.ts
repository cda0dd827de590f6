/** Milliseconds after which nothing waits any longer: a tab that nobody sees paints nothing. */
const PATIENCE = 200

/** Until what has just been drawn is on the screen. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PATIENCE)
  })
}
