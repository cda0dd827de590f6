import { type ChangeMessage, collectionRoom, userRoom } from '../../contract/live.ts'
import { type Access, type Face, linkUser, type Publication } from '../../party/connection.ts'
import type { Change } from '../queries/changes.ts'

/** Publications by room, in the order of the changes: for the collection's room, and for the own rooms of the users concerned. */
export function publicationsOf(changes: readonly Change[]): Map<string, Publication> {
  const rooms = new Map<string, Publication>()
  const add = (room: string, change: Change, more: Partial<Publication> = {}) => {
    const { changes = [], access = [], faces = [], ended = [], ...rest } = rooms.get(room) ?? {}
    const ends = change.table === 'sessions' || change.table === 'tokens'
    rooms.set(room, {
      ...rest,
      ...more,
      // Which access has ended is not for the clients.
      changes: ends ? changes : [...changes, messageFor(room, change)],
      ended: ends ? [...ended, ...change.ids] : ended,
      access: [...access, ...(more.access ?? [])],
      faces: [...faces, ...(more.faces ?? [])],
    })
  }
  for (const change of changes) {
    const deleted = change.table === 'collections' && change.event === 'DELETE'
    const ofCollection = { access: accessAfter(change), faces: facesAfter(change), ...(deleted && { deletedAt: change.revision }) }
    for (const room of roomsOf(change)) add(room, change, room.startsWith('collection:') ? ofCollection : {})
  }
  return rooms
}

/** Rooms of a change, the collection's first. */
export function roomsOf({ collection_id, collection_ids, user_ids, audience }: Change): string[] {
  const collections = collection_id ? [collection_id] : collection_ids
  return [...collections.map(collectionRoom), ...[...new Set([...user_ids, ...audience])].map(userRoom)]
}

/** Leaves out the user of an invitation in the collection's room: the inviter must not learn whether the address has an account. */
function messageFor(room: string, change: Change): ChangeMessage {
  const { user_id, ...message } = messageOf(change)
  const hidden = change.table === 'invites' && room.startsWith('collection:')
  return hidden || user_id === undefined ? message : { ...message, user_id }
}

/** Without content. `id` and `user_id` are only set if exactly one row or user changed. */
export function messageOf({ table, event, ids, user_ids, collection_id, revision }: Change): ChangeMessage {
  const id = only(ids)
  const user = table === 'users' ? only(ids) : table === 'members' || table === 'invites' ? only(user_ids) : undefined
  return {
    type: 'change',
    table,
    event,
    ...(id !== undefined && { id }),
    ...(collection_id && { collection_id }),
    ...(user !== undefined && { user_id: user }),
    revision,
  }
}

function accessAfter({ table, event, ids, roles, user_ids, revision }: Change): Access[] {
  // Guests whose link still opens connect again.
  if (table === 'links' && event !== 'INSERT') return ids.map((id) => ({ user: linkUser(id), role: null, revision }))
  return roles ? user_ids.map((user) => ({ user, role: roles[user] ?? null, revision })) : []
}

function facesAfter({ faces, revision }: Change): Face[] {
  return Object.entries(faces ?? {}).map(([user, face]) => ({ user, ...face, revision }))
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}
