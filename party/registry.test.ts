import { expect, test } from 'vitest'
import type { Seat } from './connection.ts'
import { Roster } from './registry.ts'

const ada = { user: 'ada', name: 'Ada' } as Seat

/** A connection that counts how often its state is read. */
function connection(id: string, state: Seat | null = null) {
  const held = {
    id,
    readyState: 1,
    reads: 0,
    state: null as Seat | null,
    setState(seat: Seat | null) {
      state = seat
    },
    send() {
      throw new Error('Gone')
    },
    close() {},
  }
  Object.defineProperty(held, 'state', {
    get() {
      held.reads++
      return state
    },
  })
  return held
}

test('a room that awakes finds who sat in it, and reads each seat once', () => {
  const [one, two] = [connection('1', ada), connection('2')]
  const roster = new Roster(() => [one, two])
  for (let i = 0; i < 5; i++) expect([...roster.sockets()].map((socket) => socket.seat())).toEqual([ada, null])
  expect([one.reads, two.reads]).toEqual([1, 1])
})

test('who comes is there, who has closed is not, and a seat is kept with the connection', () => {
  const known = [connection('1', ada)]
  const roster = new Roster(() => known)
  const late = connection('2')
  roster.socketOf(late).sit(ada)
  expect(late.state).toEqual(ada)
  expect([...roster.sockets()].map(({ id }) => id)).toEqual(['1', '2'])
  expect(roster.socketOf(late)).toBe(roster.socketOf(late))
  late.readyState = 2
  expect([...roster.sockets()].map(({ id }) => id)).toEqual(['1'])
  roster.forget({ ...known[0], id: '1' } as (typeof known)[number])
  expect([...roster.sockets()]).toEqual([])
})

test('what is said to a socket that has gone is said to nobody', () => {
  const roster = new Roster(() => [connection('1', ada)])
  for (const socket of roster.sockets()) expect(() => socket.send('{}')).not.toThrow()
})
