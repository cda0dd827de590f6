import { atom } from 'jotai'
import { compareNames } from '#language'
import { t } from '#say'
import * as contract from '../../contract/collections.ts'
import { type ChangeMessage, ownRevision } from '../../contract/live.ts'
import { may } from '../../contract/policy.ts'
import { call } from '../lib/api.ts'
import { device } from '../lib/device/device.ts'
import { guestLink } from '../lib/guest/link.ts'
import { latestOnly, unlessChanged } from '../lib/latest-only.ts'
import { collectionIdOf } from '../lib/links.ts'
import { messageOf } from '../lib/message-of.ts'
import { takePrefetched } from '../lib/start/prefetched.ts'
import { readSelectedId, writeSelectedId } from '../lib/storage.ts'
import { forgetSelectedId, selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'
import { askSessionAtom, sessionUserAtom } from './session.ts'

type Collection = contract.Collection

const listAtom = atom<Collection[] | null>(null)
/** Whether the list comes from the server, not only from this device. */
const confirmedAtom = atom(false)
const invitedAtom = atom<contract.InvitedCollection[] | null>(null)
const errorAtom = atom<string | null>(null)
const invitedErrorAtom = atom<string | null>(null)

/** Null until known. In alphabetical order. */
export const collectionsAtom = atom((get) => get(listAtom))
export const invitedCollectionsAtom = atom((get) => get(invitedAtom))
export const collectionsErrorAtom = atom((get) => get(errorAtom))
export const invitedErrorTextAtom = atom((get) => get(invitedErrorAtom))

/** The list from the server; null while only the device's copy is known. */
export const confirmedCollectionsAtom = atom((get) => (get(confirmedAtom) ? get(listAtom) : null))

/**
 * Ids of the collections in which the user is a member but not the owner, with what they see there of places, joined to one string; null until the
 * server has answered. The other collections, people, photos and places shown in a row depend on it.
 */
export const membershipsAtom = atom((get) => {
  const ids = get(confirmedCollectionsAtom)?.flatMap(({ id, role, places = 'exact' }) => {
    if (role === 'owner') return []
    return may(role, 'item.edit') ? `${id} all` : places === 'exact' ? id : `${id} ${places}`
  })
  return ids?.toSorted().join() ?? null
})

/** The open collection; undefined while unknown, null if the user is not a member of it. */
export const selectedCollectionAtom = atom((get) => {
  const id = get(selectedCollectionIdAtom)
  if (id === null) return null
  const found = get(listAtom)?.find((collection) => collection.id === id)
  return found ?? (get(confirmedAtom) ? null : undefined)
})

/** Id of the open collection; null if the URL names one that is not the user's. */
export const openCollectionIdAtom = atom((get) => (get(selectedCollectionAtom) === null ? null : get(selectedCollectionIdAtom)))

/** The same, but null until it is known to be one of the user's. */
export const ownSelectedIdAtom = atom((get) => get(selectedCollectionAtom)?.id ?? null)

/** Remembers the open collection as the last selected one. */
export const rememberSelectionAtom = atom(null, (get) => {
  const id = get(ownSelectedIdAtom)
  if (id && !guestLink) writeSelectedId(id)
})

let fetchedAt = 0

const requests = latestOnly()
const lists = unlessChanged()
const invitedRequests = latestOnly()

/** Grows when the signed-in user changes. */
let generation = 0
/** The collection that was requested but is not in the server's list. */
const refusedIdAtom = atom<string | null>(null)

/** Requests and changes of the lists that are under way. */
let underWay: Promise<unknown> = Promise.resolve()
/** For every request that fetches or changes a list: a message about it may overtake the answer. */
export function recorded<T>(request: Promise<T>): Promise<T> {
  underWay = Promise.allSettled([underWay, request])
  return request
}

/** Resolves when all that is under way is answered, so that what it brings need not be asked again. */
export const listsAnsweredAtom = atom(null, async () => {
  for (let seen: unknown; seen !== underWay; await underWay) seen = underWay
})

/** Whether the lists show this change: they have its revision, or no longer what it removed. */
export const listsShowAtom = atom((get) => ({ collection_id: id, table, event, revision }: ChangeMessage): boolean => {
  const [list, invited] = [get(confirmedCollectionsAtom), get(invitedAtom)]
  if (!id || !list || !invited) return false
  const existing = list.find((collection) => collection.id === id)
  const isInvited = invited.some((collection) => collection.id === id)
  if (existing && existing.revision >= revision) return table !== 'invites' || !isInvited
  return event === 'DELETE' && ['collections', 'members', 'invites'].includes(table) && !existing && !isInvited
})

/** Whether the lists lack something of what the user's own room stands for (`ownRevision`). */
export const listsLackAtom = atom((get) => (revision: number): boolean => {
  const [list, invited] = [get(confirmedCollectionsAtom), get(invitedAtom)]
  return !list || !invited || ownRevision(list, invited.length) !== revision
})

export const fetchCollectionsAtom = atom(null, (_get, set): Promise<void> => recorded(set(askCollectionsAtom)))

const askCollectionsAtom = atom(null, async (get, set): Promise<void> => {
  fetchedAt = Date.now()
  const request = requests.begin()
  try {
    const collections = await lists.ask(readList)
    if (!request.accept()) return
    set(errorAtom, null)
    const open = get(selectedCollectionAtom)
    set(confirmedAtom, true)
    set(replaceAllAtom, collections)
    if (open && !collections.some(({ id }) => id === open.id)) set(lostAtom, { ...open, reason: 'unknown' })
    set(checkSelectionAtom)
  } catch (error) {
    if (!request.isCurrent()) return
    set(errorAtom, t`Failed to fetch collections: ${messageOf(error)}`)
  }
})

/** A guest has the one that the address names, if it is the link's. */
async function readList(): Promise<Collection[]> {
  if (!guestLink) return (await call(contract.listCollections, { early: takePrefetched('collections') })).collections
  const id = collectionIdOf(new URLSearchParams(location.search))
  return id ? [(await call(contract.getCollection, { params: { id } })).collection] : []
}

/** Shows the list stored on this device until the server answers. If the server was faster, explains why the open collection is gone. */
export const recallCollectionsAtom = atom(null, async (get, set) => {
  const started = generation
  const collections = await (await device())?.collections()
  // The signed-in user may have changed.
  if (!collections || started !== generation) return
  const list = get(listAtom)
  if (list === null) {
    set(replaceAllAtom, collections)
    const id = get(selectedCollectionIdAtom) ?? readSelectedId()
    if (collections.some((collection) => collection.id === id)) set(selectCollectionAtom, id)
    return
  }
  const id = get(selectedCollectionIdAtom) ?? get(refusedIdAtom)
  const lost = collections.find((collection) => collection.id === id)
  if (lost && get(confirmedAtom) && !list.some((collection) => collection.id === id)) set(lostAtom, { ...lost, reason: 'unknown' })
})

export const fetchInvitedAtom = atom(null, (_get, set): Promise<void> => recorded(set(askInvitedAtom)))

const askInvitedAtom = atom(null, async (get, set) => {
  if (guestLink) return set(invitedAtom, [])
  const request = invitedRequests.begin()
  try {
    const { invitedCollections } = await call(contract.listInvitedCollections, { early: takePrefetched('invitedCollections') })
    if (request.accept()) {
      set(invitedErrorAtom, null)
      set(invitedAtom, invitedCollections)
    }
  } catch (error) {
    if (request.isCurrent()) set(invitedErrorAtom, t`Failed to fetch invited collections: ${messageOf(error)}`)
  }
  // Asking for invitations makes the server check whether the address is confirmed by now.
  if (get(sessionUserAtom)?.emailVerified === false) await set(askSessionAtom).catch(() => undefined)
})

export const fetchAllAtom = atom(null, async (_get, set) => {
  await Promise.all([set(fetchCollectionsAtom), set(fetchInvitedAtom)])
})

/** Fetches both lists unless they are here or on their way. */
export const ensureListsAtom = atom(null, async (get, set) => {
  await underWay
  if (!get(confirmedAtom)) await set(fetchAllAtom)
})

/** Fetches both lists again if they are older than `age` milliseconds, when the window comes back to the front. */
export const refreshStaleAtom = atom(null, async (_get, set, age: number) => {
  if (Date.now() - fetchedAt >= age) await set(fetchAllAtom)
})

export const clearCollectionsAtom = atom(null, (_get, set) => {
  set(listAtom, null)
  set(confirmedAtom, false)
  set(invitedAtom, null)
  set(errorAtom, null)
  set(invitedErrorAtom, null)
  set(lostAtom, null)
  set(refusedIdAtom, null)
  generation++
  requests.dropAll()
  invitedRequests.dropAll()
  // Requests of a user who has signed out are never answered (lib/api.ts).
  underWay = Promise.resolve()
  set(selectCollectionAtom, null)
})

const lostAtom = atom<(Collection & { reason: 'removed' | 'deleted' | 'unknown' }) | null>(null)

/** The collection that was open when it was deleted, or when the user was removed from it. */
export const lostCollectionAtom = atom((get) => get(lostAtom))

/** The server reported that the user lost access to a collection; closes it if it is open. */
export const loseCollectionAtom = atom(null, (get, set, id: string, reason: 'removed' | 'deleted') => {
  const open = get(selectedCollectionAtom)
  set(dropCollectionAtom, id)
  if (open?.id !== id) return
  set(lostAtom, { ...open, reason })
  set(selectCollectionAtom, null)
})

/** Removes a collection from the list without calling the server. */
export const dropCollectionAtom = atom(null, (get, set, id: string) => {
  if (get(listAtom)?.some((other) => other.id === id)) set(changeListAtom, (all) => all.filter((other) => other.id !== id))
  forgetSelectedId(id)
})

const replaceAllAtom = atom(null, (get, set, collections: Collection[]) => {
  set(
    listAtom,
    collections.toSorted((a, b) => compareNames(a.name, b.name)),
  )
  // The user was invited back.
  if (collections.some(({ id }) => id === get(lostAtom)?.id)) set(lostAtom, null)
})

/** A change whose answer is here. */
export const changeListAtom = atom(null, (get, set, change: (collections: Collection[]) => Collection[]) => {
  lists.changed()
  set(replaceAllAtom, change(get(listAtom) ?? []))
})

export const replaceCollectionAtom = atom(null, (_get, set, changed: Collection) =>
  set(changeListAtom, (all) => all.map((collection) => (collection.id === changed.id ? changed : collection))),
)

/** Opens the last selected collection where none is open. Closes one of which the user is not a member, and forgets it. */
const checkSelectionAtom = atom(null, (get, set) => {
  const own = new Set(get(listAtom)?.map(({ id }) => id))
  const last = readSelectedId()
  // The URL still names a collection that was refused, so the last selected one does not take its place.
  const id = get(selectedCollectionIdAtom) ?? get(refusedIdAtom) ?? last
  const theirs = id !== null && own.has(id)
  set(refusedIdAtom, theirs ? null : id)
  set(selectCollectionAtom, theirs ? id : null)
  if (last !== null && !own.has(last)) forgetSelectedId(last)
})

/** For pages outside of a collection: after a link to a collection that was refused, the last selected one is open again. */
export const reopenLastAtom = atom(null, (get, set) => {
  set(refusedIdAtom, null)
  const last = readSelectedId()
  if (get(selectedCollectionAtom) === null && get(listAtom)?.some(({ id }) => id === last)) set(selectCollectionAtom, last)
})
