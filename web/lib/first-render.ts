import { afterPaint } from './after-paint.ts'

/** Milliseconds after which nothing waits any longer for a view that has nothing to draw. */
const PATIENCE = 1_000

const waiting = new Set<() => void>()

/** A view has drawn the first items of what was opened. */
export function tellDrawn(): void {
  for (const go of waiting) go()
  waiting.clear()
}

/** Until the view that is being opened has drawn its first items: what they do not need would only hold them up. */
export function whenDrawn(patience = PATIENCE): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    setTimeout(resolve, patience)
  })
}

/** The same for a connection, which the photos on the screen may still need: milliseconds. */
const PICTURES_PATIENCE = 3_000

/** Until the photos on the screen are there as well: what nobody has asked for yet would share the connection with them. */
export async function whenPictured(): Promise<void> {
  await whenDrawn(PICTURES_PATIENCE)
  await afterPaint()
  const coming = Array.from(document.images).filter((image) => !image.complete && isOnScreen(image))
  const settled = coming.map(settling)
  await Promise.race([Promise.all(settled), new Promise((resolve) => setTimeout(resolve, PICTURES_PATIENCE))])
}

function isOnScreen(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}

function settling(image: Element): Promise<void> {
  return new Promise((resolve) => {
    for (const end of ['load', 'error']) image.addEventListener(end, () => resolve(), { once: true })
  })
}
