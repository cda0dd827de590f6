import { type Publication, type Question, ROOM_PATH, RoomUsers } from '../../party/connection.ts'
import { signPublication } from '../../party/signed-publication.ts'
import type { Env } from '../env.ts'
import { withinTime } from '../within-time.ts'

/** A slower room counts as down. */
const ROOM_MILLISECONDS = 5_000

/** Host of the rooms: Durable Objects of this worker, or the PartyKit host PARTY_HOST. */
type Rooms = Pick<Env, 'APP_ORIGIN' | 'Room' | 'PARTY_HOST' | 'PARTY_PUBLISH_KEY'>

/** WebSocket URL of a room. The room name is not encoded, colon included. */
export function roomUrl(env: Pick<Rooms, 'APP_ORIGIN' | 'PARTY_HOST'>, room: string): string {
  return `${socketOrigin(env.PARTY_HOST || env.APP_ORIGIN)}${ROOM_PATH}${room}`
}

/** The origin of a site's WebSockets. */
export function socketOrigin(site: string): string {
  return new URL(site).origin.replace(/^http/, 'ws')
}

/** Throws if the room does not accept it in time. */
export async function publishToRoom(env: Rooms, room: string, publication: Publication): Promise<void> {
  if (env.PARTY_HOST) await send(env.PARTY_HOST, env.PARTY_PUBLISH_KEY ?? '', room, publication)
  else await inTime(env.Room.getByName(room).publish(publication))
}

/** Ids of the users in a room, including hidden ones. Throws if the room does not answer in time. */
export async function usersIn(env: Rooms, room: string): Promise<string[]> {
  if (!env.PARTY_HOST) return inTime(env.Room.getByName(room).users())
  return RoomUsers.parse(await send(env.PARTY_HOST, env.PARTY_PUBLISH_KEY ?? '', room, { asks: 'users' })).users
}

const inTime = <T>(work: Promise<T>) => withinTime(work, ROOM_MILLISECONDS, () => new Error(`No answer within ${ROOM_MILLISECONDS} ms`))

async function send(host: string, key: string, room: string, what: Publication | Question): Promise<unknown> {
  const body = JSON.stringify(what)
  const headers = { authorization: await signPublication(key, room, body), 'content-type': 'application/json' }
  const url = `${new URL(host).origin}${ROOM_PATH}${room}`
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ROOM_MILLISECONDS) })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new Error(`The PartyKit host answered ${response.status}`)
  return answer
}
