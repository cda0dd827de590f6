import type { Post } from '../../../contract/posts.ts'
import { DAY_MINUTES } from '../../lib/calendar/hours.ts'
import { pulled, type Slot, slotOf } from '../../lib/calendar/move.ts'

/** A post that was taken hold of among the hours: where it stands, and at which minute of the day the pointer took it. */
export interface Hold {
  post: Post
  slot: Slot
  grip: number
}

/** Columns of hours name their day as all days do, and say `data-hours`. */
export function holdAt(post: Post, column: HTMLElement | null, y: number): Hold | null {
  const slot = slotOf(post)
  return slot && column?.dataset.hours !== undefined ? { post, slot, grip: minutesUnder(column, y) } : null
}

/** Where it would stand; null outside of the hours. */
export function slotUnder({ post, slot, grip }: Hold, column: HTMLElement | null, y: number): Slot | null {
  const { day, hours } = column?.dataset ?? {}
  if (!column || !day || hours === undefined) return null
  return { day, minutes: pulled(post, slot.minutes, minutesUnder(column, y) - grip) }
}

function minutesUnder(column: HTMLElement, y: number): number {
  const { top, height } = column.getBoundingClientRect()
  return ((y - top) / height) * DAY_MINUTES
}

/** What scrolls a column up and down: the hours, on a small screen days and hours together. */
export function scrollerOf(column: HTMLElement | null): HTMLElement | null {
  for (let element = column?.parentElement; element; element = element.parentElement) {
    if (element.scrollHeight > element.clientHeight && /auto|scroll/.test(getComputedStyle(element).overflowY)) return element
  }
  return null
}
