import { expect, test } from 'vitest'
import type { ChangeMessage } from '../contract/live.ts'
import type { ConnectionState, Handshake, RoomSocket } from './connection.ts'
import { RoomCore } from './room.ts'

const ROOM = 'collection:0198b2c4-0000-7000-8000-000000000001'
const MINUTE = 60_000

/** The session of a person. */
const sessionOf = (who: string) => `0198b2c4-0000-7000-8000-${Buffer.from(who).toString('hex').padStart(12, '0').slice(-12)}`

/** A room with a clock and timers that the test controls. */
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
      access: sessionOf(who),
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
  readonly received: Record<string, unknown>[] = []
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
    this.received.push(text === 'pong' ? { type: 'pong' } : JSON.parse(text))
  }
  close(code: number, reason: string) {
    this.closed = { code, reason }
  }
  last = () => this.received.at(-1)
  types = () => this.received.map(({ type }) => type)
  all = (type: string) => this.received.filter((message) => message.type === type)
}

const change = (revision: number): ChangeMessage => ({ type: 'change', table: 'post_collections', event: 'INSERT', revision })

test('a socket first gets hello with the revision and the users present', () => {
  const { connect } = openRoom()
  connect('ada')
  const bob = connect('bob', { revision: 9 })
  expect(bob.received).toEqual([
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

test('hello has the latest revision that the room has published', () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [change(12)] })
  expect(connect('ada', { revision: 11 }).last()).toMatchObject({ type: 'hello', revision: 12 })
})

test("a user's own room sends revision 0, since its changes are of many collections", () => {
  const { core, connect } = openRoom('user:ada')
  core.publish({ changes: [change(12)] })
  expect(connect('ada', { role: null, revision: 0 }).last()).toMatchObject({ type: 'hello', revision: 0 })
})

test('a change is sent to all joined sockets, and not to those that have left', () => {
  const { core, connect } = openRoom()
  const ada = connect('ada')
  const gone = connect('bob')
  core.leave(gone)
  core.publish({ changes: [change(8), change(9)] })
  expect(ada.types()).toEqual(['hello', 'change', 'change'])
  expect(gone.types()).toEqual(['hello'])
})

test('only roles that see invitations hear of them', () => {
  const { core, connect } = openRoom()
  const everybody = (['read', 'write', 'admin', 'owner'] as const).map((role) => connect(role, { role }))
  const invited: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  core.publish({ changes: [invited] })
  expect(everybody.map((socket) => socket.all('change'))).toEqual([[], [], [invited], [invited]])
})

test("a user's own room gets the id and user of an invitation", () => {
  const { core, connect } = openRoom('user:eve')
  const eve = connect('eve', { role: null })
  const invited: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  core.publish({ changes: [invited] })
  expect(eve.last()).toEqual(invited)
})

test('a socket with an unconfirmed address gets no invitations in its own room', () => {
  const { core, connect } = openRoom('user:eve')
  const [eve, unconfirmed] = [connect('eve', { role: null }), connect('eve', { role: null, confirmed: false })]
  const invited: ChangeMessage = { ...change(8), table: 'invites', id: 'i1', user_id: 'eve' }
  const member: ChangeMessage = { ...change(9), table: 'members' }
  core.publish({ changes: [invited, member] })
  expect(eve.received.slice(1)).toEqual([invited, member])
  expect(unconfirmed.received.slice(1)).toEqual([member])
})

test('several tabs of a user are listed once, with the view of the last active one', () => {
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

test('joins and leaves within the delay cause one presence message', () => {
  const { connect, settle, tasks } = openRoom()
  const ada = connect('ada')
  for (const who of ['bob', 'cleo', 'dan']) connect(who)
  expect(tasks).toHaveLength(1)
  settle()
  expect(ada.types()).toEqual(['hello', 'presence'])
  expect(ada.last()?.present).toHaveLength(4)
})

test.each([
  ['invalid JSON', '{'],
  ['another type', '{"type":"change","revision":99}'],
  ["somebody else's id", '{"type":"presence","view":"map","id":"eve"}'],
  ['a name', '{"type":"presence","view":"map","name":"Eve"}'],
  ['a view that is too long', JSON.stringify({ type: 'presence', view: 'x'.repeat(41) })],
  ['an item that is not an id', '{"type":"presence","view":"map","itemId":"<script>"}'],
])('a room ignores a message with %s', (_, message) => {
  const { core, connect, settle } = openRoom()
  const ada = connect('ada')
  settle()
  const before = ada.received.length
  core.message(ada, message)
  settle()
  expect(ada.received).toHaveLength(before)
  expect(ada.closed).toBeNull()
})

test.each([
  ['3 KB', 'x'.repeat(3_000), 1009, 'too_large'],
  ['more than 2 KiB in bytes but not in characters', 'ä'.repeat(1_500), 1009, 'too_large'],
  ['binary data', new ArrayBuffer(4), 1003, 'binary'],
])('a message of %s closes the socket with a reason', (_, message, code, reason) => {
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

test('the sixth message within a second closes the socket', () => {
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

test("a user's 21st socket is refused, and other users can still join", () => {
  const { connect } = openRoom()
  for (let i = 0; i < 20; i++) connect('ada')
  expect(connect('ada').received).toEqual([{ type: 'bye', reason: 'too_many' }])
  expect(connect('bob').types()).toEqual(['hello'])
})

test('expire closes expired sockets and schedules the next expiry', () => {
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

test('a socket expires after 15 minutes at most, even with a longer handshake', () => {
  const { connect } = openRoom()
  expect(connect('ada', { seconds: 86_400 }).state()?.until).toBe(15 * MINUTE)
})

test('all sockets of a removed member are closed after the change; those of others stay open', () => {
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

test('a lowered role closes the socket; a raised one only updates its state', () => {
  const { core, connect } = openRoom()
  const bob = connect('bob', { role: 'write' })
  core.publish({ changes: [], access: [{ user: 'bob', role: 'admin', revision: 8 }] })
  expect(bob.closed).toBeNull()
  core.publish({ changes: [], access: [{ user: 'bob', role: 'write', revision: 9 }] })
  expect(bob.closed).toEqual({ code: 4001, reason: 'role' })
})

test("a handshake from before the member's removal is refused; one from after a new invitation is accepted", () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [], access: [{ user: 'bob', role: null, revision: 8 }] })
  expect(connect('bob', { revision: 7 }).received).toEqual([{ type: 'bye', reason: 'removed' }])
  expect(connect('bob', { revision: 9 }).types()).toEqual(['hello'])
})

test('a repeated old removal does not close the socket of a member who has joined again', () => {
  const { core, connect } = openRoom()
  core.publish({ changes: [], access: [{ user: 'bob', role: 'read', revision: 9 }] })
  const bob = connect('bob', { revision: 9 })
  core.publish({ changes: [change(8)], access: [{ user: 'bob', role: null, revision: 8 }] })
  expect(bob.types()).toEqual(['hello', 'change'])
  expect(connect('bob', { revision: 9 }).types()).toEqual(['hello'])
})

test('a session that has ended closes its sockets, and its tickets admit nobody, also after a restart', () => {
  const { core, connect, pass } = openRoom()
  const [ada, bob] = [connect('ada'), connect('bob')]
  core.publish({ changes: [], ended: [sessionOf('bob')] })
  expect([ada.closed, bob.closed]).toEqual([null, { code: 4005, reason: 'signed_out' }])
  expect(ada.types()).not.toContain('change')
  expect(connect('bob').received).toEqual([{ type: 'bye', reason: 'signed_out' }])
  expect(connect('bob', { access: sessionOf('bob2') }).types()).toEqual(['hello'])

  const restarted = openRoom()
  restarted.core.remember(structuredClone(core.memory()))
  expect(restarted.connect('bob').received).toEqual([{ type: 'bye', reason: 'signed_out' }])
  pass(3 * MINUTE)
  expect(core.memory().ended).toEqual([])
})

test('a deleted collection closes all sockets of its room and refuses older handshakes', () => {
  const { core, connect } = openRoom()
  const sockets = [connect('ada', { role: 'owner' }), connect('bob')]
  core.publish({ changes: [change(8)], deletedAt: 8 })
  for (const socket of sockets) expect(socket.closed).toEqual({ code: 4004, reason: 'deleted' })
  expect(connect('cleo', { revision: 7 }).received).toEqual([{ type: 'bye', reason: 'deleted' }])
})

test('a hidden user gets messages but is not listed, according to the newest change', () => {
  const { core, connect, settle } = openRoom()
  const ada = connect('ada')
  const bob = connect('bob', { hidden: true })
  settle()
  expect(ada.last()).toMatchObject({ type: 'presence', present: [{ id: 'ada' }] })
  expect(bob.received[0]).toMatchObject({ type: 'hello', present: [{ id: 'ada' }] })

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
  expect(connect('bob', { revision: 9 }).received[0]).toMatchObject({ present: [{ id: 'ada' }] })
})

test('a user whose last tab in view is hidden is not one of those who look at the collection, and one who looks in any tab is', () => {
  const { core, connect, settle, pass } = openRoom()
  const [front, back, bob] = [connect('ada'), connect('ada'), connect('bob', { hidden: true })]
  const look = (socket: TestSocket, view: string) => {
    pass(1_000)
    core.message(socket, JSON.stringify({ type: 'presence', view }))
  }
  expect(core.users()).toEqual([])
  look(front, 'map')
  look(bob, 'media')
  expect(core.users()).toEqual(['ada', 'bob'])
  // In front of the other tab since.
  look(back, 'elsewhere')
  settle()
  expect(core.users()).toEqual(['ada', 'bob'])
  expect(bob.last()).toMatchObject({ present: [{ id: 'ada', view: 'map' }] })
  look(front, 'elsewhere')
  expect(core.users()).toEqual(['bob'])
})

test('a room restored from memory refuses removed members and has the latest revision', () => {
  const before = openRoom()
  before.core.publish({
    changes: [change(12)],
    access: [{ user: 'bob', role: null, revision: 12 }],
    faces: [{ user: 'cleo', name: 'Cleo', hidden: true, revision: 12 }],
  })
  const { core, connect } = openRoom()
  core.remember(structuredClone(before.core.memory()))
  expect(connect('bob', { revision: 11 }).received).toEqual([{ type: 'bye', reason: 'removed' }])
  expect(connect('ada', { revision: 11 }).last()).toMatchObject({ type: 'hello', revision: 12 })
  expect(connect('cleo', { revision: 11 }).state()).toMatchObject({ name: 'Cleo', hidden: true })
})

test('a room forgets changes of roles once older tickets have expired, but not that its collection was deleted', () => {
  const { core, pass } = openRoom()
  core.publish({ changes: [change(12)], access: [{ user: 'bob', role: null, revision: 12 }], deletedAt: 12 })
  pass(3 * MINUTE)
  expect(core.memory()).toEqual({ revision: 12, deletedAt: 12, access: [], faces: [], ended: [] })
})

test('A change of a link closes the sockets of its guests and refuses who asked before it', () => {
  const { core, connect } = openRoom()
  const [link, other] = ['0198b2c4-0000-7000-8000-00000000000b', '0198b2c4-0000-7000-8000-00000000000c']
  const [oma, opa] = [connect('guest:1', { role: 'guest', link }), connect('guest:2', { role: 'guest', link: other })]
  core.publish({ changes: [], access: [{ user: `link:${link}`, role: null, revision: 8 }] })
  expect([oma.closed?.reason, opa.closed]).toEqual(['role', null])
  expect(connect('guest:1', { role: 'guest', link, revision: 7 }).closed?.reason).toBe('role')
  expect(connect('guest:1', { role: 'guest', link, revision: 8 }).closed).toBeNull()
})

test('Ids of links are for those who make links', () => {
  const { core, connect } = openRoom()
  const [wes, rita] = [connect('wes', { role: 'write' }), connect('rita', { role: 'read' })]
  const collection_id = '0198b2c4-0000-7000-8000-000000000001'
  const made = { type: 'change', table: 'links', event: 'INSERT', id: 'x', collection_id, revision: 9 } as const
  core.publish({ changes: [made] })
  expect(wes.received.at(-1)).toEqual(made)
  expect(rita.received.at(-1)).toEqual({ type: 'change', table: 'collections', event: 'UPDATE', collection_id, revision: 9 })
})

test('Requests to join are for those who answer them', () => {
  const { core, connect } = openRoom()
  const [amy, wes] = [connect('amy', { role: 'admin' }), connect('wes', { role: 'write' })]
  const collection_id = '0198b2c4-0000-7000-8000-000000000001'
  const asked = { type: 'change', table: 'join_requests', event: 'INSERT', id: 'x', collection_id, revision: 9 } as const
  core.publish({ changes: [asked] })
  expect(amy.received.at(-1)).toEqual(asked)
  expect(wes.received.at(-1)).toEqual({ type: 'change', table: 'collections', event: 'UPDATE', collection_id, revision: 9 })
})

test('Guests get names without ids, and changes without rows', () => {
  const { core, connect, settle } = openRoom()
  const bob = connect('bob', { unnamed: true })
  const oma = connect('guest:1', { role: 'guest', name: 'Oma', link: '0198b2c4-0000-7000-8000-00000000000b' })
  core.message(bob, '{"type":"presence","view":"map"}')
  settle()
  expect(oma.received.at(-1)).toEqual({ type: 'presence', present: [{ name: 'A member' }] })
  expect(bob.received.at(-1)).toEqual({
    type: 'presence',
    present: [
      { id: 'bob', name: 'BOB', view: 'map' },
      { id: 'guest:1', name: 'Oma', guest: true },
    ],
  })
  const collection_id = '0198b2c4-0000-7000-8000-000000000001'
  core.publish({ changes: [{ type: 'change', table: 'people', event: 'DELETE', id: 'x', user_id: 'bob', collection_id, revision: 9 }] })
  expect(oma.received.at(-1)).toEqual({ type: 'change', table: 'collections', event: 'UPDATE', collection_id, revision: 9 })
  core.publish({ changes: [{ type: 'change', table: 'users', event: 'UPDATE', id: 'bob', revision: 0 }] })
  expect(oma.received.at(-1)).toMatchObject({ revision: 9 })
})

test('A thousand guests are mostly counted, and hear of who comes and goes alone', () => {
  const { core, connect, settle, pass } = openRoom()
  const members = Array.from({ length: 25 }, (_, n) => connect(`member-${String(n).padStart(2, '0')}`))
  const look = (view: string) => {
    pass(1_000)
    for (const member of members) core.message(member, JSON.stringify({ type: 'presence', view }))
    settle()
  }
  look('map')
  const guests = Array.from({ length: 1_000 }, (_, n) =>
    connect(`guest:${n}`, {
      role: 'guest',
      link: sessionOf('link'),
      ...(n === 7 ? { name: 'Oma (guest)' } : { name: 'A guest', unnamed: true }),
    }),
  )
  settle()
  const [first] = members
  const list = first?.all('presence').at(-1) as { present: { name: string }[]; more: number }
  expect([list.present.length, list.more]).toEqual([25 + 20, 980])
  expect(list.present.map(({ name }) => name)).toContain('Oma (guest)')
  for (const guest of guests) expect(guest.all('presence')).toHaveLength(1)
  const names = members.slice(0, 20).map((_, n) => ({ name: `MEMBER-${String(n).padStart(2, '0')}` }))
  expect(guests[0]?.last()).toEqual({ type: 'presence', present: names, more: 1_025 - 20 - 1 })

  // Members look around, and guests say where they are.
  for (const view of ['media', 'calendar', 'timeline']) look(view)
  const told = first?.all('presence').length
  pass(1_000)
  for (const guest of guests) core.message(guest, JSON.stringify({ type: 'presence', view: 'media' }))
  settle()
  for (const guest of guests) expect(guest.all('presence')).toHaveLength(1)
  expect(first?.all('presence')).toHaveLength(told ?? 0)

  for (const guest of guests.slice(1, 500)) core.leave(guest)
  settle()
  expect(guests[0]?.all('presence')).toHaveLength(2)
  expect(guests[0]?.last()).toMatchObject({ more: 1_025 - 499 - 20 - 1 })
})

test('A guest who is among the few that are named is not named to themselves', () => {
  const { core, connect, settle } = openRoom()
  const named = (n: number) => connect(`guest:${n}`, { role: 'guest', name: `Guest ${n} (guest)`, link: sessionOf('link') })
  const [one, two] = [named(1), named(2)]
  settle()
  expect([one.last(), two.last()]).toEqual([
    { type: 'presence', present: [{ name: 'Guest 2 (guest)' }] },
    { type: 'presence', present: [{ name: 'Guest 1 (guest)' }] },
  ])
  core.publish({ changes: [], faces: [{ user: 'guest:1', name: 'Oma (guest)', hidden: false, revision: 7 }] })
  settle()
  expect([one.all('presence').length, two.last()]).toEqual([2, { type: 'presence', present: [{ name: 'Oma (guest)' }] }])
  // Who joins with a ticket from before it, too.
  expect(connect('guest:1', { role: 'guest', name: 'Guest 1 (guest)', link: sessionOf('link') }).state()?.name).toBe('Oma (guest)')
  // Nobody keeps an old list after somebody has come and gone at once.
  settle()
  const three = named(3)
  core.leave(one)
  settle()
  expect(three.last()).toMatchObject({ present: [{ name: 'Guest 2 (guest)' }, { name: 'Oma (guest)' }] })
})
