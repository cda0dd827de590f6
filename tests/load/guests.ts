import { SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { guestUserId } from '../../contract/links.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { SOCKET_LIFE, TICKET_ALGORITHM, ticketKey } from '../../party/ticket.ts'
import { answered, type Figure, percentile } from './figures.ts'

const MEMBERS = 20
const CHANGES = 20
const WARM = 3
/** At once. */
const LANES = 50
/** Milliseconds. Anything slower is a failure, not a figure. */
const TIMEOUT = 60_000
/** All that guests may hear of a change. */
const HEARD = ['collection_id', 'event', 'revision', 'table', 'type']
/** All that they may hear of who is present. */
const PRESENCE = z.strictObject({
  type: z.literal('presence'),
  present: z.array(z.strictObject({ name: z.string() })),
  more: z.number().optional(),
})

/** One room with the guests of a link and twenty members, while the owner changes things: until the last one has heard, and what. */
export async function measureGuests(stack: Stack, guests: number): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  await answered(ada.post('/api/auth/sign-up', { email: 'guests@example.org', password: 'correct horse battery' }), 201)
  const { collection } = await answered(ada.post('/api/collections', { name: 'Guests' }), 201)
  const { link } = await answered(ada.post(`/api/collections/${collection.id}/links`, { kind: 'collection' }), 201)
  const sockets: Listener[] = []
  try {
    const waiting = [...(await addGuests(stack, link.id, guests)), ...(await addMembers(stack, collection.id))].values()
    const lane = async () => {
      for (const entrant of waiting) sockets.push(await enter(stack, `collection:${collection.id}`, entrant))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return await measureChanges(stack, ada, { collection, sockets })
  } finally {
    for (const { socket } of sockets) socket.terminate()
  }
}

interface Room {
  collection: { id: string }
  sockets: Listener[]
}

async function measureChanges(stack: Stack, ada: Client, { collection, sockets }: Room): Promise<Figure[]> {
  const took: Record<Role, number[]> = { guest: [], read: [] }
  const last: number[] = []
  for (let run = 0; run < CHANGES + WARM; run++) {
    const { post } = await answered(ada.post('/api/post', { type: 'note', title: 'Snow', collectionIds: [collection.id] }), 201)
    if (run % 2) await answered(ada.delete(`/api/post/${post.id}`))
    const [row] = await stack.sql`select revision::int, extract(epoch from created_at) * 1000 as at
      from changes where collection_id = ${collection.id} order by revision desc limit 1`
    const arrivals = await within(
      Promise.all(sockets.map(async (one) => ({ role: one.role, at: await one.arrivalOf(row?.revision as number) }))),
    )
    if (run < WARM) continue
    for (const { role, at } of arrivals) took[role].push(at - Number(row?.at))
    last.push(Math.max(...arrivals.map(({ at }) => at)) - Number(row?.at))
  }
  const heard = (role: Role) => sockets.filter((one) => one.role === role).flatMap(({ changes }) => changes)
  const more = heard('guest').filter((text) => Object.keys(JSON.parse(text)).toSorted().join() !== HEARD.join())
  if (more.length > 0) throw new Error(`Guests hear more than that the collection moved: ${more[0]}`)
  const lists = sockets.filter(({ role }) => role === 'guest').map(({ presence }) => presence)
  for (const text of lists.flat()) PRESENCE.parse(JSON.parse(text))
  const count = sockets.length.toLocaleString('en')
  const bytes = (role: Role) =>
    percentile(
      heard(role).map(({ length }) => length),
      0.5,
    )
  return [
    { what: `write → message at a guest, ${count} sockets in the room, p50 / p95 / max`, value: spread(took.guest) },
    { what: `write → message at one of ${MEMBERS} members among them, p50 / p95 / max`, value: spread(took.read) },
    { what: `write → message at the last socket, p50 / p95 / max`, value: spread(last) },
    { what: 'bytes of the message of a change, guest / member', value: `${bytes('guest')} / ${bytes('read')}` },
    { what: 'keys of every message of a change to guests', value: HEARD.join(', ') },
    {
      what: `lists of who is present to a guest since they came, of ${count} who came, p50 / max`,
      value: [0.5, 1]
        .map((p) =>
          percentile(
            lists.map(({ length }) => length),
            p,
          ),
        )
        .join(' / '),
    },
    {
      what: 'bytes of such a list, max',
      value: `${percentile(
        lists.flat().map(({ length }) => length),
        1,
      )}`,
    },
  ]
}

const spread = (values: number[]) => `${[0.5, 0.95, 1].map((p) => percentile(values, p).toFixed(1)).join(' / ')} ms`

type Role = 'guest' | 'read'

/** One end of the room: what it has heard of changes, and when. */
class Listener {
  readonly role: Role
  readonly socket: WebSocket
  readonly changes: string[] = []
  readonly presence: string[] = []
  #heard = { revision: 0, at: 0 }
  #wait: { revision: number; done: (at: number) => void } | undefined

  constructor(role: Role, socket: WebSocket) {
    this.role = role
    this.socket = socket
    socket.on('message', (data) => {
      const at = performance.timeOrigin + performance.now()
      const text = String(data)
      if (text.startsWith('{"type":"presence"')) this.presence.push(text)
      if (!text.startsWith('{"type":"change"')) return
      this.changes.push(text)
      const { revision } = JSON.parse(text)
      if (revision > this.#heard.revision) this.#heard = { revision, at }
      if (this.#wait && revision >= this.#wait.revision) this.#wait.done(at)
    })
  }

  /** Milliseconds since 1970. */
  arrivalOf(revision: number): Promise<number> {
    if (this.#heard.revision >= revision) return Promise.resolve(this.#heard.at)
    return new Promise((done) => {
      this.#wait = { revision, done }
    })
  }
}

interface Entrant {
  role: Role
  user: string
  access: string
}

async function addGuests({ sql }: Stack, link: string, count: number): Promise<Entrant[]> {
  const rows = await sql`insert into guests (id, link_id, access)
    select gen_random_uuid(), ${link}, gen_random_uuid() from generate_series(1, ${count}::int) returning id, access`
  return rows.map(({ id, access }) => ({ role: 'guest', user: guestUserId(id as string), access: access as string }))
}

async function addMembers({ sql }: Stack, collectionId: string): Promise<Entrant[]> {
  const rows = await sql`with made as (
      insert into users (id, email) select 'member-' || n, 'member-' || n || '@example.org' from generate_series(1, ${MEMBERS}::int) n returning id
    ), joined as (insert into members (collection_id, user_id, role) select ${collectionId}, id, 'read' from made)
    insert into sessions (id, user_id) select gen_random_uuid(), id from made returning id, user_id`
  return rows.map(({ id, user_id }) => ({ role: 'read', user: user_id as string, access: id as string }))
}

/** Tickets are signed here, not requested. Resolves after the hello. */
async function enter(stack: Stack, room: string, { role, user, access }: Entrant): Promise<Listener> {
  const ticket = await new SignJWT({ room, role, access, name: role, revision: 0, confirmed: true, life: SOCKET_LIFE })
    .setProtectedHeader({ alg: TICKET_ALGORITHM })
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('60 s')
    .sign(await ticketKey(stack.secrets.liveKey))
  const socket = new WebSocket(`${stack.origin.replace('http', 'ws')}/parties/room/${room}?ticket=${ticket}`, { perMessageDeflate: false })
  const listener = new Listener(role, socket)
  await within(
    new Promise<void>((resolve, reject) => {
      socket.on('error', reject).on('close', () => reject(new Error('The room closed the socket')))
      socket.on('message', (data) => String(data).startsWith('{"type":"hello"') && resolve())
    }),
  )
  return listener
}

function within<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('Nothing within a minute')), TIMEOUT).unref())
  return Promise.race([work, late])
}
