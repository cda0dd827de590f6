import type { Present } from '../contract/live.ts'
import type { ConnectionState } from './connection.ts'

/** Limited to the most recently active, because the list is sent to all sockets on every change. */
const MAX_PRESENT = 200

/** Visible users in the room, each once, with the view of their most recently active tab. Sorted by name. */
export function presentIn(states: Iterable<ConnectionState>): Present[] {
  return latestOf(states).map(toPresent)
}

/** The same as guests of a link see it: names alone, and none that is part of an address. */
export function presentToGuests(states: Iterable<ConnectionState>): Present[] {
  return latestOf(states).map(({ name, unnamed }) => ({ name: unnamed ? 'A member' : name }))
}

function latestOf(states: Iterable<ConnectionState>): ConnectionState[] {
  const latest = new Map<string, ConnectionState>()
  for (const state of states) {
    if (state.hidden) continue
    const other = latest.get(state.user)
    if (!other || state.activeAt >= other.activeAt) latest.set(state.user, state)
  }
  const shown = [...latest.values()].sort((a, b) => b.activeAt - a.activeAt).slice(0, MAX_PRESENT)
  return shown.sort((a, b) => compare(a.name, b.name) || compare(a.user, b.user))
}

/** Milliseconds to collect changes before sending presence: the work grows with the square of the number of sockets. */
export function presenceDelay(sockets: number): number {
  return Math.min(50 + sockets * 2, 2_000)
}

function toPresent({ user, name, view, itemId }: ConnectionState): Present {
  return { id: user, name, ...(view !== undefined && { view }), ...(itemId !== undefined && { itemId }) }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
