import type { Bootstrap } from '../../../contract/bootstrap.ts'
import { callingAs } from '../api.ts'

/** The call that a part stands for, by the field of its answer. */
type Part = 'theme' | 'collections' | 'invitedCollections'
type PartOfCollection = 'members' | 'people' | 'invites' | 'posts' | 'assets'

/** The answer about the session, for the first caller only. Resolves to undefined, or is undefined, if there is none. */
export function takeSession(): Promise<unknown> | undefined {
  return take('session', (all) => ({ ...all, ...all.session }))
}

/** The same for another call. Only for the user in whose name calls are made. */
export function takePrefetched(part: Part): Promise<unknown> | undefined {
  return takeOwn(part, (all) => part in all && all)
}

/** The same for a call about a collection, if the answer is of this revision at least. */
export function takeOfCollection(part: PartOfCollection, collectionId: string, revision = 0): Promise<unknown> | undefined {
  if (globalThis.prefetched?.collectionId !== collectionId) return undefined
  return takeOwn(part, (all) => {
    if ((all.revision ?? -1) < revision) return undefined
    return part === 'posts' || part === 'assets' ? all.content && { ...all, ...all.content[part] } : part in all && all
  })
}

export function takeTicket(room: string) {
  return takeOwn(room, ({ tickets }) => tickets?.find((ticket) => ticket.room === room))
}

/** Another user may have signed in since, or be the one of whom the cookie is. */
function takeOwn<T>(name: string, pick: (all: Bootstrap) => T): Promise<T | undefined> | undefined {
  const user = callingAs()
  return take(name, (all) => (all.session.user?.id === user ? pick(all) : undefined))
}

function take<T>(name: string, pick: (all: Bootstrap) => T): Promise<T | undefined> | undefined {
  const { prefetched } = globalThis
  if (!prefetched || prefetched.taken.has(name)) return undefined
  prefetched.taken.add(name)
  return prefetched.answer.then((all) => (all && globalThis.prefetched === prefetched ? pick(all) : undefined))
}
