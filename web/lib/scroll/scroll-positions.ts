import { z } from '../../../contract/zod.ts'
import { parseJson } from '../storage.ts'
import type { Place } from './anchor.ts'

const Stored = z.object({ key: z.string(), below: z.number(), day: z.string().nullable() })

/** Lists that open at a place which somebody chose: one that goes meanwhile does not put its own there. */
const chosen = new Set<string>()

/** Where somebody was in a list, until this tab is closed. Null at the top, or where the browser keeps nothing. */
export function readPlace(list: string): Place | null {
  chosen.delete(list)
  try {
    return parseJson(sessionStorage.getItem(`place:${list}`), Stored)
  } catch {
    return null
  }
}

/** Whether the list opens further down. */
export function keepsPlace(list: string): boolean {
  try {
    return sessionStorage.getItem(`place:${list}`) !== null
  } catch {
    return false
  }
}

export function writePlace(list: string, place: Place | null): void {
  if (chosen.has(list)) return
  try {
    if (place) sessionStorage.setItem(`place:${list}`, JSON.stringify(place))
    else sessionStorage.removeItem(`place:${list}`)
  } catch {
    // The list opens at its top then.
  }
}

/** Where the list opens that comes in the place of this one. */
export function choosePlace(list: string, place: Place): void {
  writePlace(list, place)
  chosen.add(list)
}

/** Under this the router (ScrollRestoration) keeps how far each entry of the history was scrolled. */
export const ROUTER_PLACES = 'react-router-scroll-positions'
