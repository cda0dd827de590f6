import { ownBuild } from '../site.ts'
import { canvasPictures } from './canvas-images.ts'
import { isDrawn, isOnScreen, keepSnapshot } from './snapshot.ts'

/** Characters: what is larger would take the room of the others, and as long to show as the app itself. */
const LARGEST = 300_000

/** Keeps what `root` shows, as what this address begins with when `user` opens it again. */
export function keepSight(root: HTMLElement, user: string): void {
  // Waiting, failed, in a dialog or at a place of its own: not how the page begins.
  if (!isDrawn(root) || root.querySelector('main [role="alert"]') || document.querySelector('[role="dialog"]') || location.hash) return
  const page = root.cloneNode(true) as HTMLElement
  const drawn = root.querySelectorAll('*')
  const scrolled: [number, number, number][] = []
  for (const [nth, element] of [...page.querySelectorAll('*')].entries()) {
    const from = drawn[nth] as Element
    if (from.scrollLeft > 0 || from.scrollTop > 0) scrolled.push([nth, from.scrollLeft, from.scrollTop])
    const picture = from instanceof HTMLCanvasElement && canvasPictures.get(from)
    if (picture) element.replaceWith(imageLike(from, picture))
    if (!(element instanceof HTMLImageElement)) continue
    element.loading = 'eager'
    // It may be far below, and would be fetched.
    if (!isOnScreen(from)) element.removeAttribute('src')
  }
  const html = page.innerHTML
  if (html.length > LARGEST) return
  keepSnapshot(addressOf(location), {
    user,
    build: ownBuild(),
    css: Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'), ({ href }) => href),
    fonts: fontsHere(),
    width: document.documentElement.clientWidth,
    top: scrollY,
    html,
    scrolled,
  })
}

/** Addresses of the fonts that this visit has fetched. */
function fontsHere(): string[] {
  return [...new Set(performance.getEntriesByType('resource').flatMap(({ name }) => (name.endsWith('.woff2') ? name : [])))]
}

/** In the place of a canvas, which would be empty. */
function imageLike(canvas: HTMLCanvasElement, src: string): HTMLImageElement {
  const image = Object.assign(new Image(), { src, className: canvas.className })
  image.style.cssText = canvas.style.cssText
  return image
}

/** As public/first-paint.js has it. */
function addressOf({ pathname, search }: Location): string {
  const asked = new URLSearchParams(search)
  asked.sort()
  return `${pathname}?${asked}`
}
