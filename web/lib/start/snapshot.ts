import { z } from '../../../contract/zod.ts'
import { parseJson, readLocal, writeLocal } from '../storage.ts'

/**
 * A page begins with the picture that it ended with the last time (docs/decisions/027). lib/start/snapshot-keep.ts keeps it, public/first-paint.js
 * shows it, inert and in a closed shadow, and it stands over the app until that has drawn the same page.
 */

declare global {
  /** While a picture of this page is shown: what holds it, the root of what it shows, and what was clicked last on it. */
  var snapshot: { host: HTMLElement; page: HTMLElement; click?: MouseEvent | null } | undefined
}

/** Milliseconds after which the app is shown, whatever it has drawn. */
const PATIENCE = 3_000
/** Milliseconds that the app's own photos may take once it has drawn. */
const PHOTOS = 500
/** Milliseconds for which a click on the picture is still meant. */
const MEANT = 10_000

const ACTIONS = 'a, button, [role="button"]'

/** Shows the app once it has drawn, and does what was clicked meanwhile. */
export function leaveSnapshot(root: HTMLElement): void {
  if (!globalThis.snapshot) return
  const begun = performance.now()
  let drawn = Number.POSITIVE_INFINITY
  const look = (now: number) => {
    if (isDrawn(root)) drawn = Math.min(drawn, now)
    const ready = drawn <= now && (photosStand(root) || now - drawn > PHOTOS)
    if (!ready && now - begun < PATIENCE) return void requestAnimationFrame(look)
    const { host, page, click } = globalThis.snapshot ?? {}
    globalThis.snapshot = undefined
    const meant = click && page && aimOf(click, page)
    host?.remove()
    if (click && meant) strike(click, meant, root)
  }
  requestAnimationFrame(look)
}

/** The page has its heading, and nothing that holds the place of what is still to come. */
export function isDrawn(root: HTMLElement): boolean {
  return root.querySelector('h1') !== null && !root.querySelector('[data-skeleton]')
}

function photosStand(root: HTMLElement): boolean {
  return [...root.querySelectorAll('img')].every((img) => img.complete || !isOnScreen(img))
}

export function isOnScreen(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}

/** What was clicked in the picture. */
function aimOf({ clientX: x, clientY: y }: MouseEvent, page: HTMLElement): string | null {
  const meant = [...page.querySelectorAll<HTMLElement>(ACTIONS)].findLast((action) => {
    const { top, bottom, left, right } = action.getBoundingClientRect()
    return top <= y && y < bottom && left <= x && x < right
  })
  return meant ? nameOf(meant) : null
}

/** Clicks on what is in its place, if it is the same; what is not drawn yet may still become it. */
function strike(click: MouseEvent, meant: string, root: HTMLElement): void {
  if (performance.now() - click.timeStamp > MEANT) return
  const there = document.elementFromPoint(click.clientX, click.clientY)?.closest<HTMLElement>(ACTIONS)
  if (there && nameOf(there) === meant) there.click()
  else if (!isDrawn(root)) requestAnimationFrame(() => strike(click, meant, root))
}

/** Where it leads, or what it says. */
function nameOf(action: HTMLElement): string | null {
  return action instanceof HTMLAnchorElement ? action.href : (action.ariaLabel ?? action.textContent)
}

/** Addresses that have a picture, the last one first. Of a page that is shown in several ways it is the last way. */
const LIST = 'snapshots'
const keyOf = (address: string) => `snapshot:${address}`
const MOST = 6

export interface Snapshot {
  /** Whose page it is. */
  user: string
  /** The styles are of this build. */
  build: string
  css: string[]
  /** With them from the start its text is laid out once. */
  fonts: string[]
  /** CSS pixels: of the page, without a scrollbar, and how far it is scrolled. */
  width: number
  top: number
  html: string
  /** What is scrolled in it: which element in document order, left and top. */
  scrolled: [nth: number, left: number, top: number][]
}

export function keepSnapshot(address: string, snapshot: Snapshot): void {
  const before = readAddresses()
  const others = before.filter((other) => pageOf(other) !== pageOf(address)).slice(0, MOST - 1)
  for (const old of before) if (!others.includes(old)) writeLocal(keyOf(old), null)
  writeLocal(LIST, JSON.stringify([address, ...others]))
  writeLocal(keyOf(address), JSON.stringify(snapshot))
}

function pageOf(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin)
  return `${pathname} ${searchParams.get('c')}`
}

/** Somebody signs out, or in: nothing of before is left. */
export function forgetSnapshots(): void {
  for (const address of readAddresses()) writeLocal(keyOf(address), null)
  writeLocal(LIST, null)
}

function readAddresses(): string[] {
  return parseJson(readLocal(LIST), z.array(z.string())) ?? []
}
