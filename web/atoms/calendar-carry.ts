import { atom } from 'jotai'
import type { Post } from '../../contract/posts.ts'
import { type Slot, slotOf, stepped } from '../lib/calendar/move.ts'
import { moveToTimeAtom } from './calendar.ts'

/** A post on its way to another time among the hours of a week, and where it would stand. */
export interface Carried {
  post: Post
  slot: Slot
  /** What is moved by keys is told in words, and kept in sight. */
  by: 'pointer' | 'keys'
}

/** Null gives up. */
export const carriedAtom = atom<Carried | null>(null)

/** By how much a key carries: quarters of an hour, or columns of the week. */
export interface Step {
  quarters?: -1 | 1
  columns?: -1 | 1
}

/** Carries a post one step further, within the days that are shown. */
export const carryOnAtom = atom(null, (get, set, post: Post, { quarters, columns }: Step, days: readonly string[]) => {
  const existing = get(carriedAtom)
  const from = existing?.post.id === post.id ? existing.slot : slotOf(post)
  if (!from) return
  const day = days[days.indexOf(from.day) + (columns ?? 0)] ?? from.day
  const minutes = quarters ? stepped(post, from.minutes, quarters) : from.minutes
  set(carriedAtom, { post, slot: { day, minutes }, by: 'keys' })
})

const landed = new WeakSet<Carried>()

/** Lets go of it. It stands there until the change does, so that nothing is seen to jump back. */
export const setDownAtom = atom(null, async (get, set) => {
  const existing = get(carriedAtom)
  if (!existing || landed.has(existing)) return
  landed.add(existing)
  try {
    await set(moveToTimeAtom, existing.post, existing.slot)
  } finally {
    if (get(carriedAtom) === existing) set(carriedAtom, null)
  }
})
