import { atom } from 'jotai'
import type { Post } from '../../contract/posts.ts'
import { type Slot, slotOf, stepped } from '../lib/calendar/move.ts'
import { moveToTimeAtom } from './calendar.ts'

/** A post that is being dragged in the week view, and the slot it would move to. */
export interface DraggedPost {
  post: Post
  slot: Slot
  /** Moves by keyboard are announced and scrolled into view. */
  by: 'pointer' | 'keys'
}

/** Null cancels the move. */
export const draggedPostAtom = atom<DraggedPost | null>(null)

/** One keyboard step: a quarter of an hour, or a column of the week. */
export interface Step {
  quarters?: -1 | 1
  columns?: -1 | 1
}

/** Moves a post one step, within the days shown. */
export const dragByStepAtom = atom(null, (get, set, post: Post, { quarters, columns }: Step, days: readonly string[]) => {
  const existing = get(draggedPostAtom)
  const from = existing?.post.id === post.id ? existing.slot : slotOf(post)
  if (!from) return
  const day = days[days.indexOf(from.day) + (columns ?? 0)] ?? from.day
  const minutes = quarters ? stepped(post, from.minutes, quarters) : from.minutes
  set(draggedPostAtom, { post, slot: { day, minutes }, by: 'keys' })
})

const dropped = new WeakSet<DraggedPost>()

/** Drops the post. The preview stays until the change is applied, so that the post does not jump back for a moment. */
export const dropPostAtom = atom(null, async (get, set) => {
  const existing = get(draggedPostAtom)
  if (!existing || dropped.has(existing)) return
  dropped.add(existing)
  try {
    await set(moveToTimeAtom, existing.post, existing.slot)
  } finally {
    if (get(draggedPostAtom) === existing) set(draggedPostAtom, null)
  }
})
