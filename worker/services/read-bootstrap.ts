import { LIMITS } from '../../contract/limits.ts'
import { may } from '../../contract/policy.ts'
import type { AppEnv } from '../context.ts'
import { together } from '../db/client.ts'
import { AppError } from '../http/errors.ts'
import { listAssets } from '../queries/assets.ts'
import { listCollections, listInvitedCollections } from '../queries/collections.ts'
import { findNewestImages } from '../queries/images.ts'
import { listInvites } from '../queries/invites.ts'
import { findRoomPerson } from '../queries/live.ts'
import { listMembers } from '../queries/members.ts'
import type { ListPage } from '../queries/paging.ts'
import { listPeople } from '../queries/people.ts'
import { pictureAccess } from '../queries/picture-access.ts'
import { listPosts } from '../queries/posts.ts'
import { findProfile, findUserTheme } from '../queries/users.ts'

/** Pictures that a page may ask for at once. */
const PICTURES = 120

interface Wanted {
  collectionId: string | undefined
  /** Whether the first posts and assets of the collection are wanted, too. */
  content: boolean
}

/** Everything that the app needs first, in one round trip. Parts of a collection of which the user is not a member are null. */
export async function readBootstrap(
  { db, user, access }: Pick<AppEnv['Variables'], 'db' | 'user' | 'access'>,
  { collectionId: id, content }: Wanted,
) {
  const first = { collection_id: id, limit: LIMITS.defaultPageSize, form: 'columns' as const }
  const inside = id !== undefined
  const since = Date.now()
  const { images, ...read } = await together(db, {
    profile: (db) => findProfile(db, user.id),
    theme: (db) => findUserTheme(db, user.id),
    collections: (db) => listCollections(db, user.id),
    // An unconfirmed address may belong to another person.
    invitedCollections: user.emailVerified ? (db) => listInvitedCollections(db, user) : null,
    ownRoom: (db) => findRoomPerson(db, user.id, null),
    room: inside ? (db) => findRoomPerson(db, user.id, id) : null,
    members: inside ? (db) => listMembers(db, user.id, id) : null,
    people: inside ? (db) => listPeople(db, user.id, id) : null,
    invitations: inside ? (db) => listInvites(db, user.id, { collectionId: id, state: 'pending' }) : null,
    posts: inside && content ? (db) => ifMember(listPosts(db, user.id, { query: first, known: undefined })) : null,
    assets: inside && content ? (db) => ifMember(listAssets(db, user.id, { query: first })) : null,
    images: inside ? (db) => findNewestImages(db, user.id, { collectionId: id, limit: PICTURES }) : null,
  })
  pictureAccess.remember({ user, access }, images ?? [], since)
  const { invitations, room, ...others } = read
  return {
    ...others,
    room: room?.role ? room : null,
    invites: invitations?.role && may(invitations.role, 'invites.see') ? invitations.invites : null,
  }
}

function ifMember(page: Promise<ListPage>): Promise<ListPage | null> {
  return page.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
}
