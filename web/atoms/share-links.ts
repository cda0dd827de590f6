import { atom } from 'jotai'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import { createLink, endLink, type Link, type LinkEdit, listLinks, type NewLink, updateLink } from '../../contract/links.ts'
import type { Role } from '../../contract/policy.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import { latestOnly, unlessChanged } from '../lib/latest-only.ts'
import { messageOf } from '../lib/message-of.ts'
import { knownRevisionAtom } from './content.ts'
import { personalAtom } from './personal.ts'

/** The links of one collection that the user may change in this role, newest first. `links` is null until they are loaded. */
interface ShareLinks {
  collectionId: string
  role: Role
  links: Link[] | null
  error: string | null
  /** Of the collection, which they are at least as new as. */
  revision: number
}

export const shareLinksAtom = personalAtom<ShareLinks | null>(null)

const requests = latestOnly()
const lists = unlessChanged()

export const fetchShareLinksAtom = atom(null, async (get, set, collectionId: string, role: Role) => {
  const request = requests.begin()
  const revision = get(knownRevisionAtom)(collectionId)
  const answer = await lists.ask(() => call(listLinks, { params: { id: collectionId } })).catch((error: unknown) => messageOf(error))
  if (!request.accept()) return
  set(shareLinksAtom, (before) => {
    const links = before?.collectionId === collectionId && before.role === role ? before.links : null
    return {
      collectionId,
      role,
      revision,
      ...(typeof answer === 'string' ? { links, error: answer } : { links: answer.links, error: null }),
    }
  })
})

/** For changes made elsewhere, up to this revision; nothing is asked while nobody has looked at the list. */
export const refreshShareLinksAtom = atom(null, async (get, set, collectionId: string, revision: number) => {
  const known = get(shareLinksAtom)
  if (known?.collectionId === collectionId && known.revision < revision) await set(fetchShareLinksAtom, collectionId, known.role)
})

/** The link with its address, which is told only this once. `id` makes a repeated call one link. Throws ActionError. */
export const makeShareLinkAtom = atom(
  null,
  async (_get, set, collectionId: string, { id, ...link }: NewLink & { id: string }): Promise<Link> => {
    const make = (linkId: string) => call(createLink, { params: { id: collectionId }, body: { ...link, id: linkId } })
    const made = await named(
      t`The link could not be made`,
      make(id).then(async (answer) => {
        if (answer.link.url) return answer
        // An earlier call made it, whose answer was lost. Nobody has its address.
        await call(endLink, { params: { id: collectionId, linkId: id } })
        return make(newId())
      }),
    )
    const { url: _, ...listed } = made.link
    set(listAtom, collectionId, (links) => [listed, ...links.filter(({ id: other }) => other !== listed.id)])
    return made.link
  },
)

/** Throws ActionError. */
export const changeShareLinkAtom = atom(null, async (_get, set, { collection_id, id }: Link, edit: LinkEdit): Promise<void> => {
  const { link } = await named(
    t`The link could not be changed`,
    call(updateLink, { params: { id: collection_id, linkId: id }, body: edit }),
  )
  set(listAtom, collection_id, (links) => links.map((other) => (other.id === id ? link : other)))
})

/** Throws ActionError. */
export const endShareLinkAtom = atom(null, async (_get, set, { collection_id, id }: Link): Promise<void> => {
  await named(t`The link could not be ended`, call(endLink, { params: { id: collection_id, linkId: id } }))
  set(listAtom, collection_id, (links) => links.filter((other) => other.id !== id))
})

const listAtom = atom(null, (_get, set, collectionId: string, change: (links: Link[]) => Link[]) => {
  lists.changed()
  set(shareLinksAtom, (known) => (known?.collectionId === collectionId && known.links ? { ...known, links: change(known.links) } : known))
})
