import { expect, test } from 'vitest'
import type { ChangeMessage } from '../contract/live.ts'
import type { ConnectionState, Handshake, RoomSocket } from './connection.ts'
import { RoomCore } from './room.ts'

const ROOM = 'collection:0198b2c4-0000-7000-8000-000000000001'
const MINUTE = 60_000

/** A room whose clock and timers the test moves. */
function openRoom(name = ROOM) {
  const sockets: TestSocket[] = []
  let clock = 0
  const tasks: (() => void)[] = []
  const wakes: number[] = []
  const host = {
    sockets: () => sockets.filter((socket) => !socket.closed),
    now: () => clock,
    wakeAt: (time: number) => void wakes.push(time),
    later: (task: () => void) => void tasks.push(task),
  }
  const core = new RoomCore(() => name, host)
  const connect = (who: string, more: Partial<Handshake> = {}) => {
    const socket = new TestSocket(`socket-${sockets.length}`)
    sockets.push(socket)
    core.join(socket, {
      sub: who,
      name: who.toUpperCase(),
      hidden: false,
      role: 'read',
      revision: 7,
      confirmed: true,
      seconds: 900,
      ...more,
    })
    return socket
  }
  const settle = () => {
    for (const task of tasks.splice(0)) task()
  }
  const pass = (milliseconds: number) => {
    clock += milliseconds
  }
  return { core, connect, settle, pass, wakes, tasks }
}

class TestSocket implements RoomSocket {
  readonly id: string
  readonly heard: Record<string, unknown>[] = []
  closed: { code: number; reason: string } | null = null
  #state: ConnectionState | null = null

  constructor(id: string) {
    this.id = id
  }
  state = () => this.#state
  setState(next: ConnectionState | null) {
    this.#state = next
  }
  send(text: string) {
    this.heard.push(text === 'pong' ? { type: 'pong' } : JSON.parse(text))
  }
  close(code: number, reason: string) {
    this.closed = { code, reason }
  }
  last = () => this.heard.at(-1)
  types = () => this.heard.map(({ type }) => type)
}

const change = (revision: number): ChangeMessage => ({ type: 'change', table: 'post_collections', event: 'INSERT', revision })

test('hello comes first, with the revision and who is there', () => {
  const { connect } = openRoom()
  connect('ada')
  const bob = connect('bob', { revision: 9 })
  expect(bob.heard).toEqual([
    {
      type: 'hello',
      room: ROOM,
      revision: 9,
      present: [
        { id: 'ada', name: 'ADA' },
        { id: 'bob', name: 'BOB' },
      ],
    },
  ])
})

test('hello names the latest revision that the room has announced', () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [change(12)] })
  expect(connect('ada', { revision: 11 }).last()).toMatchObject({ type: 'hello', revision: 12 })
})

test("a room of one's own has no revision, since its changes come from many collections", () => {
  const { core, connect } = openRoom('user:ada')
  core.publish({ changes: [change(12)] })
  expect(connect('ada', { role: null, revision: 0 }).last()).toMatchObject({ type: 'hello', revision: 0 })
})

test('a change reaches everybody who has joined, and nobody else', () => {
  const { core, connect } = openRoom()
  const ada = connect('ada')
  const gone = connect('bob')
  core.leave(gone)
  core.publish({ changes: [change(8), change(9)] })
  expect(ada.types()).toEqual(['hello', 'change', 'change'])
  expect(gone.types()).toEqual(['hello'])
})

test('which invitation has changed is told to those who may see invitations; everybody hears of the revision', () => {
  const { core, connect } = openRoom()
  const everybody = (['read', 'write', 'admin', 'owner'] as const).map((role) => connect(role, { role }))
  const told: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  core.publish({ changes: [told] })
  const bare = { ...change(8), table: 'invites' }
  expect(everybody.map((socket) => socket.last())).toEqual([bare, bare, told, told])
})

test('an own room hears all of an invitation', () => {
  const { core, connect } = openRoom('user:eve')
  const eve = connect('eve', { role: null })
  const told: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  core.publish({ changes: [told] })
  expect(eve.last()).toEqual(told)
})

test('an own room tells of invitations only to who has confirmed the address', () => {
  const { core, connect } = openRoom('user:eve')
  const [eve, unconfirmed] = [connect('eve', { role: null }), connect('eve', { role: null, confirmed: false })]
  const told: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  const member: ChangeMessage = { ...change(9), table: 'members' }
  core.publish({ changes: [told, member] })
  expect(eve.heard.slice(1)).toEqual([told, member])
  expect(unconfirmed.heard.slice(1)).toEqual([member])
})

test('many tabs are one presence, with what was used last', () => {
  const { core, connect, settle, pass } = openRoom()
  const first = connect('ada')
  const second = connect('ada')
  pass(10)
  core.message(first, JSON.stringify({ type: 'presence', view: 'map' }))
  pass(10)
  core.message(second, JSON.stringify({ type: 'presence', view: 'timeline' }))
  settle()
  expect(first.last()).toEqual({ type: 'presence', present: [{ id: 'ada', name: 'ADA', view: 'timeline' }] })
  core.leave(second)
  settle()
  expect(first.last()).toEqual({ type: 'presence', present: [{ id: 'ada', name: 'ADA', view: 'map' }] })
})

test('comings and goings close together are told once', () => {
  const { connect, settle, tasks } = openRoom()
  const ada = connect('ada')
  for (const who of ['bob', 'cleo', 'dan']) connect(who)
  expect(tasks).toHaveLength(1)
  settle()
  expect(ada.types()).toEqual(['hello', 'presence'])
  expect(ada.last()?.present).toHaveLength(4)
})

test.each([
  ['what is not JSON', '{'],
  ['another type', '{"type":"change","revision":99}'],
  ["somebody else's id", '{"type":"presence","view":"map","id":"eve"}'],
  ['a name', '{"type":"presence","view":"map","name":"Eve"}'],
  ['a view that is too long', JSON.stringify({ type: 'presence', view: 'x'.repeat(41) })],
  ['an item that is no id', '{"type":"presence","view":"map","itemId":"<script>"}'],
])('%s is ignored', (_, message) => {
  const { core, connect, settle } = openRoom()
  const ada = connect('ada')
  settle()
  const before = ada.heard.length
  core.message(ada, message)
  settle()
  expect(ada.heard).toHaveLength(before)
  expect(ada.closed).toBeNull()
})

test.each([
  ['3 KB', 'x'.repeat(3_000), 1009, 'too_large'],
  ['2 KiB counted in characters, more in bytes', 'ä'.repeat(1_500), 1009, 'too_large'],
  ['binary', new ArrayBuffer(4), 1003, 'binary'],
])('%s: bye with the reason, then closed', (_, message, code, reason) => {
  const { core, connect } = openRoom()
  const ada = connect('ada')
  const bob = connect('bob')
  core.message(ada, message)
  expect(ada.last()).toEqual({ type: 'bye', reason })
  expect(ada.closed).toEqual({ code, reason })
  core.publish({ changes: [change(8)] })
  expect(ada.last()).toEqual({ type: 'bye', reason })
  expect(bob.last()).toEqual(change(8))
})

test('five messages a second are heard, the sixth closes the socket', () => {
  const { core, connect, pass } = openRoom()
  const ada = connect('ada')
  const say = (times: number) => {
    for (let i = 0; i < times; i++) core.message(ada, '{"type":"presence","view":"map"}')
  }
  say(5)
  pass(1_000)
  say(5)
  expect(ada.closed).toBeNull()
  say(1)
  expect(ada.closed).toEqual({ code: 1008, reason: 'too_fast' })
})

test('one person cannot fill the room with sockets', () => {
  const { connect } = openRoom()
  for (let i = 0; i < 20; i++) connect('ada')
  expect(connect('ada').heard).toEqual([{ type: 'bye', reason: 'too_many' }])
  expect(connect('bob').types()).toEqual(['hello'])
})

test('a socket ends after its time, and the room is woken for the next', () => {
  const { core, connect, pass, wakes } = openRoom()
  const ada = connect('ada')
  pass(5 * MINUTE)
  const bob = connect('bob')
  pass(10 * MINUTE)
  core.expire()
  expect(ada.closed).toEqual({ code: 4000, reason: 'expired' })
  expect(bob.closed).toBeNull()
  expect(wakes).toEqual([15 * MINUTE, 20 * MINUTE, 20 * MINUTE])
})

test('nobody stays longer than 15 minutes, whatever they were let in for', () => {
  const { connect } = openRoom()
  expect(connect('ada', { seconds: 86_400 }).state()?.until).toBe(15 * MINUTE)
})

test('a removed member hears of it and is put out, from every tab; the others stay', () => {
  const { core, connect } = openRoom()
  const tabs = [connect('bob'), connect('bob')]
  const ada = connect('ada', { role: 'owner' })
  core.publish({ changes: [change(8)], access: [{ user: 'bob', role: null, revision: 8 }] })
  for (const tab of tabs) {
    expect(tab.types().slice(-2)).toEqual(['change', 'bye'])
    expect(tab.closed).toEqual({ code: 4003, reason: 'removed' })
  }
  expect(ada.closed).toBeNull()
})

test('a lowered role ends the socket, a raised one does not and is remembered', () => {
  const { core, connect } = openRoom()
  const bob = connect('bob', { role: 'write' })
  core.publish({ changes: [], access: [{ user: 'bob', role: 'admin', revision: 8 }] })
  expect(bob.closed).toBeNull()
  core.publish({ changes: [], access: [{ user: 'bob', role: 'write', revision: 9 }] })
  expect(bob.closed).toEqual({ code: 4001, reason: 'role' })
})

test('somebody removed between the check and the door does not get in; asked back, they do', () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [], access: [{ user: 'bob', role: null, revision: 8 }] })
  expect(connect('bob', { revision: 7 }).heard).toEqual([{ type: 'bye', reason: 'removed' }])
  expect(connect('bob', { revision: 9 }).types()).toEqual(['hello'])
})

test('an old removal that is told again puts nobody out who has come back since', () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [], access: [{ user: 'bob', role: 'read', revision: 9 }] })
  const bob = connect('bob', { revision: 9 })
  core.publish({ changes: [change(8)], access: [{ user: 'bob', role: null, revision: 8 }] })
  expect(bob.types()).toEqual(['hello', 'change'])
  expect(connect('bob', { revision: 9 }).types()).toEqual(['hello'])
})

test('a deleted collection empties its room and lets nobody in who was on the way', () => {
  const { core, connect } = openRoom()
  const sockets = [connect('ada', { role: 'owner' }), connect('bob')]
  core.publish({ changes: [change(8)], deletedAt: 8 })
  for (const socket of sockets) expect(socket.closed).toEqual({ code: 4004, reason: 'deleted' })
  expect(connect('cleo', { revision: 7 }).heard).toEqual([{ type: 'bye', reason: 'deleted' }])
})

test('who does not want to be seen hears and is not present, from when they say so and wherever they are', () => {
  const { core, connect, settle } = openRoom()
  const ada = connect('ada')
  const bob = connect('bob', { hidden: true })
  settle()
  expect(ada.last()).toMatchObject({ type: 'presence', present: [{ id: 'ada' }] })
  expect(bob.heard[0]).toMatchObject({ type: 'hello', present: [{ id: 'ada' }] })

  core.publish({ changes: [], faces: [{ user: 'bob', name: 'Bob', hidden: false, revision: 8 }] })
  settle()
  expect(ada.last()).toMatchObject({
    present: [
      { id: 'ada', name: 'ADA' },
      { id: 'bob', name: 'Bob' },
    ],
  })

  core.publish({ changes: [], faces: [{ user: 'bob', name: 'Bob', hidden: true, revision: 10 }] })
  core.publish({ changes: [], faces: [{ user: 'bob', name: 'Bob', hidden: false, revision: 9 }] })
  settle()
  expect(ada.last()).toMatchObject({ present: [{ id: 'ada' }] })
  expect(connect('bob', { revision: 9 }).heard[0]).toMatchObject({ present: [{ id: 'ada' }] })
})

test('a room made again from its memory turns away whoever was removed since their ticket, and names the latest revision', () => {
  const before = openRoom()
  before.core.publish({
    changes: [change(12)],
    access: [{ user: 'bob', role: null, revision: 12 }],
    faces: [{ user: 'cleo', name: 'Cleo', hidden: true, revision: 12 }],
  })
  const { core, connect } = openRoom()
  core.remember(structuredClone(before.core.memory()))
  expect(connect('bob', { revision: 11 }).heard).toEqual([{ type: 'bye', reason: 'removed' }])
  expect(connect('ada', { revision: 11 }).last()).toMatchObject({ type: 'hello', revision: 12 })
  expect(connect('cleo', { revision: 11 }).state()).toMatchObject({ name: 'Cleo', hidden: true })
})

test('a room remembers nobody for longer than a ticket from before could live, but that it was deleted', () => {
  const { core, pass } = openRoom()
  core.publish({ changes: [change(12)], access: [{ user: 'bob', role: null, revision: 12 }], deletedAt: 12 })
  pass(3 * MINUTE)
  expect(core.memory()).toEqual({ revision: 12, deletedAt: 12, access: [], faces: [] })
})
