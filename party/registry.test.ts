import { expect, test } from 'vitest'
import type { ConnectionState } from './connection.ts'
import { Registry } from './registry.ts'

const ada = { user: 'ada', name: 'Ada' } as ConnectionState

/** A connection that counts how often its state is read. */
function connection(id: string, state: ConnectionState | null = null) {
  const fake = {
    id,
    readyState: 1,
    reads: 0,
    state: null as ConnectionState | null,
    setState(next: ConnectionState | null) {
      state = next
    },
    send() {
      throw new Error('Gone')
    },
    close() {},
  }
  Object.defineProperty(fake, 'state', {
    get() {
      fake.reads++
      return state
    },
  })
  return fake
}

test('a registry lists the existing connections and reads each state once', () => {
  const [one, two] = [connection('1', ada), connection('2')]
  const registry = new Registry(() => [one, two])
  for (let i = 0; i < 5; i++) expect([...registry.open()].map((socket) => socket.state())).toEqual([ada, null])
  expect([one.reads, two.reads]).toEqual([1, 1])
})

test('a registry adds new sockets, leaves out closed ones, and stores the state with the connection', () => {
  const known = [connection('1', ada)]
  const registry = new Registry(() => known)
  const late = connection('2')
  registry.socketOf(late).setState(ada)
  expect(late.state).toEqual(ada)
  expect([...registry.open()].map(({ id }) => id)).toEqual(['1', '2'])
  expect(registry.socketOf(late)).toBe(registry.socketOf(late))
  late.readyState = 2
  expect([...registry.open()].map(({ id }) => id)).toEqual(['1'])
  registry.forget({ ...known[0], id: '1' } as (typeof known)[number])
  expect([...registry.open()]).toEqual([])
})

test('sending to a closed socket does not throw', () => {
  const registry = new Registry(() => [connection('1', ada)])
  for (const socket of registry.open()) expect(() => socket.send('{}')).not.toThrow()
})
