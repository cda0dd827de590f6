/** Milliseconds after which nothing waits any longer for a view that has nothing to draw. */
const PATIENCE = 1_000

const waiting = new Set<() => void>()

/** A view has drawn the first items of what was opened. */
export function tellDrawn(): void {
  for (const go of waiting) go()
  waiting.clear()
}

/** Until the view that is being opened has drawn its first items: what they do not need would only hold them up. */
export function whenDrawn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    setTimeout(resolve, PATIENCE)
  })
}
