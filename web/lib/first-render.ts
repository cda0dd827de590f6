import { afterPaint, sleep } from './scheduling.ts'

/** Milliseconds; items may take long. */
const TIMEOUT = 1_000
/** Milliseconds; photos may take long. */
const PHOTOS_TIMEOUT = 3_000
/** Milliseconds that photos which have just loaded are left alone, while they fade in. */
const FADING = 1_000

const waiting = new Set<() => void>()

/** Reports that a view has rendered its first items, or that there are none. */
export function notifyFirstRender(): void {
  for (const resolve of waiting) resolve()
  waiting.clear()
}

/** Resolves when the view being opened has rendered its first items, or shows that there are none. Work that they do not need waits for this. */
export function whenFirstRender(timeout = TIMEOUT): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    setTimeout(resolve, timeout)
  })
}

/** Resolves when the photos on the screen are shown, too: what is fetched and run before that holds them up. */
export async function whenPhotosShown(): Promise<void> {
  await whenFirstRender(PHOTOS_TIMEOUT)
  await afterPaint()
  const loading = Array.from(document.images).filter((image) => !image.complete && isOnScreen(image))
  await Promise.race([Promise.all(loading.map(loaded)), sleep(PHOTOS_TIMEOUT)])
  if (loading.length > 0) await sleep(FADING)
}

function loaded(image: Element): Promise<void> {
  return new Promise((resolve) => {
    for (const end of ['load', 'error']) image.addEventListener(end, () => resolve(), { once: true })
  })
}

function isOnScreen(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}
