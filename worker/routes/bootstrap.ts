import { type Context, Hono } from 'hono'
import { bootstrap as endpoint } from '../../contract/bootstrap.ts'
import { collectionRoom, userRoom } from '../../contract/live.ts'
import { type CurrentSession, currentSession } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { objectOf, pageTexts, sendJson } from '../http/answer.ts'
import { query } from '../http/validate.ts'
import { roomUrl } from '../live/party-host.ts'
import { signTicket } from '../live/tickets.ts'
import type { RoomPerson } from '../queries/live.ts'
import { readBootstrap } from '../services/read-bootstrap.ts'
import { answerSession, ifSignedOut } from './sessions.ts'

type Read = Awaited<ReturnType<typeof readBootstrap>>

export const bootstrap = new Hono<AppEnv>().get('/', refuseTokens, query(endpoint.query), async (c) => {
  const { collection_id: collectionId, content = true } = c.req.valid('query')
  const current = await currentSession(c)
  const { db, access } = c.var
  const read = current && (await readBootstrap({ db, access, user: current.user }, { collectionId, content }).catch(ifSignedOut))
  const { session, profile } = await answerSession(c, current, read?.profile)
  // The session may have ended, or turn out to have another address than the one that was read for.
  const whole = read && session.user?.email === current.user.email
  return sendJson(c, {
    success: 'true',
    session: JSON.stringify(session),
    profile: JSON.stringify(profile),
    ...(whole && textsOf(read)),
    ...(whole && { tickets: JSON.stringify(await ticketsFor(c, current.user, read, collectionId)) }),
  })
})

function textsOf({ theme, collections, invitedCollections, room, members, people, invites, posts, assets }: Read) {
  const text = (value: unknown) => (value === null ? undefined : JSON.stringify(value))
  const pages = posts && assets && { posts: objectOf(pageTexts('posts', posts)), assets: objectOf(pageTexts('assets', assets)) }
  return {
    theme: JSON.stringify(theme),
    collections,
    invitedCollections: text(invitedCollections),
    revision: room?.revision.toString(),
    members: text(members),
    people: text(people),
    invites: text(invites),
    content: pages ? objectOf(pages) : undefined,
  }
}

async function ticketsFor(c: Context<AppEnv>, user: CurrentSession['user'], { ownRoom, room }: Read, collectionId: string | undefined) {
  const { id, emailVerified } = user
  const ticket = async (name: string, person: RoomPerson, confirmed: boolean) => ({
    room: name,
    url: roomUrl(c.env, name),
    ...(await signTicket(c.env, { ...person, room: name, sub: id, access: c.var.access, confirmed })),
  })
  return Promise.all([
    // Asking for this one makes the server check whether the address is confirmed by now.
    ...(ownRoom && emailVerified ? [ticket(userRoom(id), ownRoom, true)] : []),
    ...(room && collectionId ? [ticket(collectionRoom(collectionId), room, false)] : []),
  ])
}
