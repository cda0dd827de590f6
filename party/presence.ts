import { ELSEWHERE, type Present } from '../contract/live.ts'
import type { ConnectionState } from './connection.ts'

/** Members in a list, which is sent to all sockets on every change: the most recently active. */
const MAX_MEMBERS = 200
/** Guests in a list of members: those with a name first, then the latest. */
const MAX_GUESTS = 20
/** Names in a list of guests. */
const MAX_NAMES = 20

/** Who is present. `more`: people who are shown as present and not listed. */
export interface Presence {
  present: Present[]
  more?: number
}

/** Visible users in the room, each once, with the view of their most recently active tab: of those that they look at, if there are some. Members by name, then guests by name. */
export function presentIn(states: Iterable<ConnectionState>): Presence {
  const [guests, members] = latestOf(states)
  const listed = [
    ...members.toSorted(byActivity).slice(0, MAX_MEMBERS).sort(byName),
    ...guests.sort(byFame).slice(0, MAX_GUESTS).sort(byName),
  ]
  const isShown = (state: ConnectionState) => isGuest(state) || isInView(state)
  return withMore(listed.map(toPresent), [...members, ...guests].filter(isShown).length - listed.filter(isShown).length)
}

/**
 * The same as guests of a link see it, which changes only when somebody comes, goes or has another name: names alone, and none that is part of an address.
 * Returns the list for each of them, which leaves out themselves.
 */
export function presentToGuests(states: Iterable<ConnectionState>): (user: string) => Presence {
  const [guests, members] = latestOf(states)
  const all = [...members.filter(isInView).sort(byNameToGuests), ...guests.sort(byFame)]
  const listed = all.slice(0, MAX_NAMES)
  const namesOf = (shown: ConnectionState[]) => shown.map((state) => ({ name: nameToGuests(state) }))
  const users = new Set(listed.map(({ user }) => user))
  // The same for all who are not in it.
  const others = withMore(namesOf(listed), all.length - listed.length - 1)
  return (user) => (users.has(user) ? withMore(namesOf(listed.filter((state) => state.user !== user)), all.length - listed.length) : others)
}

/** Visible guests, and visible members. */
function latestOf(states: Iterable<ConnectionState>): [guests: ConnectionState[], members: ConnectionState[]] {
  const latest = new Map<string, ConnectionState>()
  for (const state of states) {
    if (state.hidden) continue
    const other = latest.get(state.user)
    if (!other || isNewer(state, other)) latest.set(state.user, state)
  }
  const all = [...latest.values()]
  return [all.filter(isGuest), all.filter((state) => !isGuest(state))]
}

/** A tab that is hidden says so after the one that is looked at instead. */
function isNewer(a: ConnectionState, b: ConnectionState): boolean {
  return isInView(a) === isInView(b) ? a.activeAt >= b.activeAt : isInView(a)
}

/** Milliseconds to collect changes before sending presence: the work grows with the square of the number of sockets. */
export function presenceDelay(sockets: number): number {
  return Math.min(50 + sockets * 2, 2_000)
}

export const isGuest = ({ role }: ConnectionState) => role === 'guest'

/** Whether a member looks at the collection in this tab. */
export const isInView = ({ view }: ConnectionState) => view !== undefined && view !== ELSEWHERE

/** A guest without a name is “A guest” already. */
function nameToGuests(state: ConnectionState): string {
  return state.unnamed && !isGuest(state) ? 'A member' : state.name
}

function toPresent(state: ConnectionState): Present {
  const { user, name, view, itemId } = state
  if (isGuest(state)) return { id: user, name, guest: true }
  return { id: user, name, ...(view !== undefined && { view }), ...(itemId !== undefined && { itemId }) }
}

const withMore = (present: Present[], more: number): Presence => (more > 0 ? { present, more } : { present })

const byActivity = (a: ConnectionState, b: ConnectionState) => b.activeAt - a.activeAt
const byName = (a: ConnectionState, b: ConnectionState) => compare(a.name, b.name) || compare(a.user, b.user)
/** The place in the list must not tell a name that is not shown. */
const byNameToGuests = (a: ConnectionState, b: ConnectionState) => compare(nameToGuests(a), nameToGuests(b)) || compare(a.user, b.user)
const byFame = (a: ConnectionState, b: ConnectionState) => Number(a.unnamed ?? false) - Number(b.unnamed ?? false) || byActivity(a, b)

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
