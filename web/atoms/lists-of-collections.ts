import { atom } from 'jotai'
import { latestOnly } from '../lib/latest-only.ts'
import { messageOf } from '../lib/message-of.ts'
import { personalAtom } from './personal.ts'

/** Requests or files in a collection that the user may answer. `list` is null until it is loaded. */
interface Waiting<T> {
  list: T[] | null
  error: string | null
}

/** Lists by the id of their collection, of those that somebody has looked at. */
export function listsOfCollections<T>(load: (collectionId: string) => Promise<T[]>) {
  const listsAtom = personalAtom<Record<string, Waiting<T>>>({})
  const orders = new Map<string, ReturnType<typeof latestOnly>>()
  const orderOf = (collectionId: string) => {
    const order = orders.get(collectionId) ?? latestOnly()
    orders.set(collectionId, order)
    return order
  }
  const fetchAtom = atom(null, async (_get, set, collectionId: string) => {
    const request = orderOf(collectionId).begin()
    const answer = await load(collectionId).catch((error: unknown) => messageOf(error))
    if (!request.accept()) return
    set(listsAtom, (known) => ({
      ...known,
      [collectionId]:
        typeof answer === 'string' ? { list: known[collectionId]?.list ?? null, error: answer } : { list: answer, error: null },
    }))
  })
  /** For changes made elsewhere. */
  const refreshAtom = atom(null, async (get, set) => {
    await Promise.all(Object.keys(get(listsAtom)).map((id) => set(fetchAtom, id)))
  })
  return { listsAtom, fetchAtom, refreshAtom }
}
