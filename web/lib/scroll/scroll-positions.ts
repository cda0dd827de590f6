import { z } from '../../../contract/zod.ts'
import { parseJson } from '../storage.ts'
import type { ScrollPosition } from './anchor.ts'

const Stored = z.object({ key: z.string(), below: z.number(), day: z.string().nullable() })

/** Lists whose next scroll position has been set: a list that closes meanwhile does not overwrite it. */
const chosen = new Set<string>()

/** The last scroll position in a list, until this tab is closed. Null at the top, or where the browser stores nothing. */
export function readScrollPosition(list: string): ScrollPosition | null {
  chosen.delete(list)
  try {
    return parseJson(sessionStorage.getItem(`place:${list}`), Stored)
  } catch {
    return null
  }
}

/** Whether the list opens scrolled down. */
export function hasScrollPosition(list: string): boolean {
  try {
    return sessionStorage.getItem(`place:${list}`) !== null
  } catch {
    return false
  }
}

export function writeScrollPosition(list: string, position: ScrollPosition | null): void {
  if (chosen.has(list)) return
  try {
    if (position) sessionStorage.setItem(`place:${list}`, JSON.stringify(position))
    else sessionStorage.removeItem(`place:${list}`)
  } catch {
    // The list then opens at its top.
  }
}

/** Sets the position at which the list that replaces this one opens. */
export function chooseScrollPosition(list: string, position: ScrollPosition): void {
  writeScrollPosition(list, position)
  chosen.add(list)
}

/** Key under which the router (ScrollRestoration) stores the scroll offset of each history entry. */
export const ROUTER_SCROLL_POSITIONS = 'react-router-scroll-positions'
