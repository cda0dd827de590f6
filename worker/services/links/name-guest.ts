import { guestUserId } from '../../../contract/links.ts'
import { collectionRoom } from '../../../contract/live.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { publishToRoom } from '../../live/party-host.ts'
import type { Holder } from '../../queries/claims.ts'
import { findRoomGuest, nameGuest as nameInDatabase } from '../../queries/guests.ts'
import { limitAttempts } from '../accounts/limit-attempts.ts'

/** Throws 429 for a guest, or guests of a link, who take another name too often. A name that they have already does not count. */
export async function limitNaming(db: Db, { guest, link }: Pick<Holder, 'guest' | 'link'>, factor: string | undefined): Promise<void> {
  await limitAttempts(db, { actions: ['guestName'], user: guestUserId(guest), link, factor })
}

interface Naming {
  env: Env
  db: Db
  /** The guest's own, which reads. */
  asGuest: Db
  collectionId: string
  later: (work: Promise<unknown>) => void
}

/** Gives the guest a name, under which others see them in the room of the collection at once. */
export async function nameGuest({ env, db, asGuest, collectionId, later }: Naming, holder: Holder, name: string): Promise<void> {
  await nameInDatabase(db, holder, name)
  // A room that does not hear it gets the name with the next ticket.
  later(publishName(env, asGuest, { collectionId, user: guestUserId(holder.guest) }).catch(() => undefined))
}

/** With the revision that the collection has: the list of who is present is no change of it. */
async function publishName(env: Env, asGuest: Db, { collectionId, user }: { collectionId: string; user: string }): Promise<void> {
  const guest = await findRoomGuest(asGuest, collectionId)
  if (!guest) return
  const { name, hidden, unnamed = false, revision } = guest
  await publishToRoom(env, collectionRoom(collectionId), { changes: [], faces: [{ user, name, hidden, unnamed, revision }] })
}
