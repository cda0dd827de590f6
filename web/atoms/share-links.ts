import { atom } from 'jotai'
import { createLink, endLink, type Link, type LinkEdit, listLinks, type NewLink, updateLink } from '../../contract/links.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { latestOnly } from '../lib/latest-only.ts'
import { messageOf } from '../lib/message-of.ts'
import { personalAtom } from './personal.ts'

/** The links of one collection that the user may change, newest first. `links` is null until they are loaded. */
interface ShareLinks {
  collectionId: string
  links: Link[] | null
  error: string | null
}

export const shareLinksAtom = personalAtom<ShareLinks | null>(null)

const requests = latestOnly()

export const fetchShareLinksAtom = atom(null, async (_get, set, collectionId: string) => {
  const request = requests.begin()
  const answer = await call(listLinks, { params: { id: collectionId } }).catch((error: unknown) => messageOf(error))
  if (!request.accept()) return
  set(shareLinksAtom, (before) => {
    const links = before?.collectionId === collectionId ? before.links : null
    return typeof answer === 'string' ? { collectionId, links, error: answer } : { collectionId, links: answer.links, error: null }
  })
})

/** For changes made elsewhere; nothing is asked while nobody looks at the list. */
export const refreshShareLinksAtom = atom(null, async (get, set, collectionId: string) => {
  if (get(shareLinksAtom)?.collectionId === collectionId) await set(fetchShareLinksAtom, collectionId)
})

/** The link with its address, which is told only this once. Throws ActionError. */
export const makeShareLinkAtom = atom(null, async (_get, set, collectionId: string, link: NewLink): Promise<Link> => {
  const made = await named('The link could not be made', call(createLink, { params: { id: collectionId }, body: link }))
  void set(refreshShareLinksAtom, collectionId)
  return made.link
})

/** Throws ActionError. */
export const changeShareLinkAtom = atom(null, async (_get, set, { collection_id, id }: Link, edit: LinkEdit): Promise<void> => {
  await named('The link could not be changed', call(updateLink, { params: { id: collection_id, linkId: id }, body: edit }))
  await set(refreshShareLinksAtom, collection_id)
})

/** Throws ActionError. */
export const endShareLinkAtom = atom(null, async (_get, set, { collection_id, id }: Link): Promise<void> => {
  await named('The link could not be ended', call(endLink, { params: { id: collection_id, linkId: id } }))
  await set(refreshShareLinksAtom, collection_id)
})
